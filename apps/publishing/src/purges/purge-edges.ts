import type { Db } from '@recto/database'
import { createWorker, retryDelay, type RetryTimes, type RunningJob, type Worker } from '@recto/jobs'
import { createId } from '@recto/operation'
import { createOutgoing, discardBody, OutgoingFailure, type Outgoing } from '@recto/outgoing'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import type { EdgeRow } from './edge.entity.ts'
import * as purges from './edge-purges.repository.ts'
import { purgeRequest } from './edge-requests.ts'
import { reasonOfEdge, type Edge } from './edges.rules.ts'
import { outcomeOf, type PurgeOutcome } from './purge.rules.ts'
import { hostAndPort } from './reader-client.ts'

const maxReplyBytes = 65_536

/** Times in milliseconds. */
export interface EdgePurgeTimes extends RetryTimes {
  /** Between looking for tags that are due. */
  every: number
  /** Between two requests to an edge: what changes meanwhile goes into one. */
  between: number
  /** For the answer of an edge. */
  timeout: number
  /**
   * After which a purge is sent again. An answer that a reader began before a change reaches an edge after the purge: the pauses are longer
   * than a reader keeps what it read, than it keeps a page that shows other spaces, and than any answer takes.
   */
  pauses: readonly number[]
}

/** Times of an installation. */
export const edgePurgeTimes: EdgePurgeTimes = {
  every: 1_000,
  between: 50,
  timeout: 10_000,
  first: 500,
  longest: 300_000,
  pauses: [250, 6_000, 30_000],
}

/** Which edges purge, and how. */
export interface EdgeOptions {
  db: Db
  transaction: RunTransaction
  edges: readonly Edge[]
  times: EdgePurgeTimes
  log: Log
  metrics: Metrics | undefined
}

/** Has every edge drop what was requested, each for itself: one that is slow or away delays no other, and no reader. */
export function edgePurgeJob(options: EdgeOptions): { works: PeriodicWork[]; stop(): Promise<void> } {
  const { db, edges, times, metrics } = options
  const ids = edges.map(({ id }) => id)
  const opening: { done?: Promise<void> } = {}
  const open = () =>
    (opening.done ??= purges.openEdges(db, ids).catch((error: unknown) => (delete opening.done, Promise.reject(error))))
  metrics?.registerQueues(async () => ({ 'edge.purges': await purges.dueState(db) }))
  if (edges.length === 0) {
    return { works: [{ name: 'forget edges', every: 3_600_000, run: open }], stop: async () => undefined }
  }
  const allow = edges.map(({ url }) => hostAndPort(url)).join(',')
  const outgoing = createOutgoing({ allow, timeoutMs: times.timeout, maxBytes: maxReplyBytes })
  const worker = createPurger({ ...options, outgoing })
  const run = async () => {
    await open()
    await worker.work.run()
  }
  const stop = async () => {
    await worker.stop()
    await outgoing.close()
  }
  return { works: [{ ...worker.work, run }], stop }
}

interface Purging extends EdgeOptions {
  outgoing: Outgoing
}

/** A job is one request to one edge, which no other replica asks meanwhile: so purges of an edge arrive in their order. */
function createPurger(purging: Purging): Worker {
  const { db, transaction, edges, times, log } = purging
  return createWorker<EdgeRow>({
    name: 'edges',
    table: purges.edgeJobs(
      edges.map(({ id }) => id),
      2 * times.timeout,
    ),
    wokenBy: ['edge_purges', 'edges'],
    db,
    transaction,
    log,
    concurrency: edges.length,
    every: times.every,
    heartbeat: times.timeout,
    timeoutMs: 4 * times.timeout,
    attempt: (row, job) => purgeOnce(purging, row, job),
    giveUp: async () => undefined,
  })
}

async function purgeOnce(purging: Purging, { id, attempts }: EdgeRow, job: RunningJob<EdgeRow>): Promise<void> {
  const { db, edges, times } = purging
  const edge = edges.find(each => each.id === id)
  const nextIn = (ms: number, failures: number) =>
    job.save({ attempts: failures, nextAttemptAt: new Date(Date.now() + ms) })
  // Read after the edge was taken: what another replica has done since is not done again.
  const due = edge ? await purges.listDue(db, id, edge.tagsAtOnce) : []
  if (!edge || due.length === 0) return nextIn(0, attempts)
  const outcome = await send(purging, due, { edge, attempts, signal: job.signal })
  if (outcome === 'refused') return nextIn(times.longest, attempts + 1)
  if (outcome === 'failed') return nextIn(retryDelay(attempts + 1, times, Math.random()), attempts + 1)
  await purges.markTaken(db, due, { edge: id, pauses: times.pauses })
  await nextIn(times.between, 0)
}

/** The name of a request to an edge in metrics. */
const operation = 'purgeEdge'

/** Asks the edge; throws when the service stops first, so that nobody knows whether the edge did it. */
async function send(
  { outgoing, log, metrics }: Purging,
  due: readonly purges.DuePurge[],
  { edge, attempts, signal }: { edge: Edge; attempts: number; signal: AbortSignal },
): Promise<PurgeOutcome> {
  const started = performance.now()
  const observe = (code?: string) =>
    metrics?.operations.observe({ operation, seconds: (performance.now() - started) / 1000, code })
  const details = { edge: edge.kind, host: new URL(edge.url).host, tags: due.length, attempts: attempts + 1 }
  const tags = due.map(({ tag }) => tag)
  try {
    const request = purgeRequest(edge, tags, { id: createId(), at: new Date() })
    const reply = await outgoing.request({ ...request, signal, followsRedirects: false })
    await discardBody(reply)
    const { status } = reply
    const outcome = outcomeOf(status)
    observe(outcome === 'purged' ? undefined : outcome)
    if (outcome === 'refused')
      log.error({ ...details, status }, `an edge shows what was changed or closed: ${reasonOfEdge(edge, status)}`)
    if (outcome === 'failed') log.warn({ ...details, status }, 'an edge failed to purge, and is asked again later')
    return outcome
  } catch (error) {
    if (signal.aborted || !(error instanceof OutgoingFailure)) throw error
    observe(error.code)
    log.warn({ ...details, err: error }, 'an edge cannot be reached, and is asked to purge again later')
    return 'failed'
  }
}
