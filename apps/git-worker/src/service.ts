import { createBlobStore } from '@recto/blobs'
import { busClient, busState, connectBus, consume, type Bus } from '@recto/bus'
import { gitCalls, gitJobs, gitPollCalls } from '@recto/contracts-git-worker'
import { createOutgoing } from '@recto/outgoing'
import type { Log, Metrics, Service } from '@recto/telemetry'
import { claimFolder } from './clones/claim-folder.ts'
import { CloneCache } from './clones/clone-cache.ts'
import type { Config } from './config.ts'
import { pollBranch, type PollTools } from './polls/poll-branch.ts'
import { abandonJob, runJob, type JobTools } from './jobs/run-job.ts'
import { runWithinQuota } from './jobs/run-within-quota.ts'
import { OrganizationQuota } from './jobs/organization-quota.ts'

/** Imports and exports have the same payload. */
const { payload } = gitJobs.importRepository
const subjects = 'jobs.git.>'

/** Milliseconds until the job of a dead worker is redelivered, which is after its lease has expired; a live one extends the deadline. */
const ackWait = 10_000

/** High, because waiting for another worker's lease to expire takes deliveries too. */
const maxDeliver = 50

/** Starts git-worker, which consumes imports and exports from the work queue until it is stopped. */
export async function startGitWorker(
  config: Config,
  { log, metrics }: { log: Log; metrics: Metrics },
): Promise<Service> {
  const folder = await claimFolder(config.CACHE_DIR)
  const stopping = new AbortController()
  const blobs = createBlobStore({ url: config.BLOB_URL })
  const outgoing = createOutgoing({
    allow: config.OUTGOING_ALLOW,
    timeoutMs: config.GIT_TIMEOUT,
    idleTimeoutMs: config.GIT_SILENCE,
    maxBytes: config.GIT_MAX_PACK,
  })
  const bus = await connectBus({
    url: config.NATS_URL,
    service: 'git-worker',
    callTimeout: config.CALL_TIMEOUT,
    notice: (message, details) => log.warn(details, message),
  })
  const cache = new CloneCache({ folder: config.CACHE_DIR, maxBytes: config.GIT_CACHE_MAX_BYTES })
  await cache.clean()
  const rpc = busClient(bus, gitCalls, { service: 'content' })
  const tools = { rpc, blobs, outgoing, cache, limits: limitsOf(config), log, signal: stopping.signal }
  const polls = { ...tools, rpc: busClient(bus, gitPollCalls, { service: 'content' }) }
  const consumer = consumeJobs(bus, { tools, polls, concurrency: config.GIT_CONCURRENCY, log })
  metrics.registerQueue('jobs.git', async () => (await bus.manager.consumers.info('JOBS', 'git-worker')).num_pending)
  return {
    ready: async () => {
      const state = await busState(bus)
      return state === true ? blobs.check() : state
    },
    stop: async () => {
      stopping.abort(new Error('The worker stops'))
      await consumer.stop()
      await bus.drain()
      await outgoing.close()
      blobs.close()
      await folder.release()
    },
  }
}

function consumeJobs(
  bus: Bus,
  {
    tools,
    polls,
    concurrency,
    log,
  }: { tools: JobTools; polls: Omit<PollTools, 'places'>; concurrency: number; log: Log },
): { stop(): Promise<void> } {
  const fair = { rpc: tools.rpc, places: new OrganizationQuota(concurrency) }
  return consume(bus, {
    stream: 'JOBS',
    filter: subjects,
    ackWait,
    maxDeliver,
    maxInFlight: 1_000,
    concurrency,
    log,
    handle: async delivery => {
      if (delivery.subject === gitJobs.pollBranch.subject)
        return pollBranch({ ...polls, places: fair.places }, gitJobs.pollBranch.payload.parse(delivery.payload))
      const job = payload.parse(delivery.payload)
      return runWithinQuota(fair, job, () => runJob(tools, job))
    },
    deadLettered: async (delivery, error) => {
      log.error({ err: error, job: delivery.id }, 'a job was delivered too often')
      const job = payload.safeParse(delivery.payload)
      if (job.success) await abandonJob(tools, job.data)
    },
  })
}

function limitsOf(config: Config): JobTools['limits'] {
  return {
    maxPack: config.GIT_MAX_PACK,
    maxFile: config.GIT_MAX_FILE,
    maxPageBytes: config.GIT_MAX_PAGE_BYTES,
    maxFiles: config.GIT_MAX_FILES,
    maxPages: config.GIT_MAX_PAGES,
    jobTimeoutMs: config.GIT_TIMEOUT,
  }
}
