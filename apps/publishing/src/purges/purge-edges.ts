import { createId } from '@recto/operation'
import { createOutgoing, discardBody } from '@recto/outgoing'
import type { EdgeRow } from './edge.entity.ts'
import * as purges from './edge-purges.repository.ts'
import { purgeRequest } from './edge-requests.ts'
import { reasonOfEdge, type Edge } from './edges.rules.ts'
import { purgeJob, type Places, type PurgeJob, type PurgeTools, type RequestTimes } from './purge-worker.ts'
import { hostAndPort } from './reader-client.ts'

const maxReplyBytes = 65_536

/** Times in milliseconds. */
export interface EdgePurgeTimes extends RequestTimes {
  /** Between two requests to an edge: what changes meanwhile goes into one. */
  between: number
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
export interface EdgeOptions extends PurgeTools {
  edges: readonly Edge[]
  times: EdgePurgeTimes
}

/** Has every edge drop what was requested, each for itself: one that is slow or away delays no other, and no reader. */
export function edgePurgeJob(options: EdgeOptions): PurgeJob {
  const { db, edges, times, metrics } = options
  metrics?.registerQueues(async () => ({ 'edge.purges': await purges.dueState(db) }))
  if (edges.length === 0) {
    const run = () => purges.openEdges(db, [])
    return { works: [{ name: 'forget edges', every: 3_600_000, run }], stop: async () => undefined }
  }
  return purgeJob(placesOf(options), times, options)
}

function placesOf({ db, edges, times }: EdgeOptions): Places<EdgeRow, purges.DuePurge> {
  const byId = new Map(edges.map(edge => [edge.id, edge]))
  const ids = [...byId.keys()]
  const edgeOf = ({ id }: EdgeRow): Edge => {
    const edge = byId.get(id)
    if (!edge) throw new Error(`no settings name the edge ${id}`)
    return edge
  }
  const allow = edges.map(({ url }) => hostAndPort(url)).join(',')
  const outgoing = createOutgoing({ allow, timeoutMs: times.timeout, maxBytes: maxReplyBytes })
  return {
    name: 'edges',
    operation: 'purgeEdge',
    table: purges.edgeJobs(ids, 2 * times.timeout),
    wokenBy: ['edge_purges', 'edges'],
    concurrency: edges.length,
    pause: times.between,
    open: () => purges.openEdges(db, ids),
    listDue: row => purges.listDue(db, row.id, edgeOf(row).tagsAtOnce),
    async ask(row, tags, signal) {
      const request = purgeRequest(edgeOf(row), tags, { id: createId(), at: new Date() })
      const reply = await outgoing.request({ ...request, signal, followsRedirects: false })
      await discardBody(reply)
      return reply.status
    },
    markTaken: ({ id }, due) => purges.markTaken(db, due, { edge: id, pauses: times.pauses }),
    describe: row => ({ edge: edgeOf(row).kind, host: new URL(edgeOf(row).url).host }),
    messages: {
      refused: (row, status) => `an edge shows what was changed or closed: ${reasonOfEdge(edgeOf(row), status)}`,
      failed: 'an edge failed to purge, and is asked again later',
      unreachable: 'an edge cannot be reached, and is asked to purge again later',
    },
    close: () => outgoing.close(),
  }
}
