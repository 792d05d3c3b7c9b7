import type { Actor } from '@recto/actor'
import { createBlobStore } from '@recto/blobs'
import { busClient, consume, type Bus } from '@recto/bus'
import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { gitWorkerApi } from '@recto/contracts-git-worker'
import { gitContentCalls, gitJobs, gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { peopleCalls } from '@recto/contracts-identity-bus'
import { refusedToMember } from '@recto/contracts-shared'
import { compose } from '@recto/operation'
import { createOutgoing } from '@recto/outgoing'
import { busSettings, databaseLimits, type PeriodicWork, startDatabaseService, startScheduler } from '@recto/service'
import type { Log, Metrics, Service } from '@recto/telemetry'
import { createAttempts } from './attempts/create-attempts.ts'
import { previewChecks } from './checks/preview-checks.ts'
import { statusDeliveries } from './checks/status-deliveries.ts'
import { claimFolder } from './clones/claim-folder.ts'
import { CloneCache } from './clones/clone-cache.ts'
import { gitDatabase } from './database.ts'
import { takeOver } from './hand-over/take-over.ts'
import { abandonJob, runJob, type JobTools } from './jobs/run-job.ts'
import { runWithinQuota } from './jobs/run-within-quota.ts'
import { OrganizationQuota } from './jobs/organization-quota.ts'
import { gitFeature } from './operations/git.handlers.ts'
import { pollBranch, type PollTools } from './polls/poll-branch.ts'
import { createPolls } from './polls/polls.ts'
import { exportCatchUp, mainFollower, pollSchedule } from './polls/sync-schedule.ts'
import { gitPreviewFeature } from './previews/git-previews.handlers.ts'
import { waitingState } from './previews/git-statuses.repository.ts'
import { dispatchWaiting } from './queue/dispatch-waiting.ts'
import { credentialExpiry, leaseExpiry } from './queue/expire-leases.ts'
import type { Config } from './shared/config.ts'
import type { BaseContext } from './shared/context.ts'
import { contentEventHandlers } from './syncs/content-events.handlers.ts'
import { gitSyncFeature } from './syncs/git-sync.handlers.ts'
import { gitWorkerCallFeature } from './syncs/git-worker-calls.handlers.ts'

/** Imports and exports have the same payload. */
const { payload } = gitJobs.importRepository
const subjects = 'jobs.git.>'

/** Milliseconds until the job of a dead worker is redelivered: longer than its lease. A live worker extends the deadline. */
const ackWait = 10_000

/** High, because waiting for another worker's lease to expire takes deliveries too. */
const maxDeliver = 50

/** Seconds for which content keeps the data of an attempt beyond the time that the attempt may take. */
const holdMargin = 60

/** Log and metrics of the process, and settings that only tests change. */
export interface Parts {
  log: Log
  metrics: Metrics
  strict?: boolean
  redeliverAfter?: number
  /** Takes the jobs in place of the consumer of the queue; for tests. */
  takeJobs?(jobs: GitJobs): void
}

/** The tools with which jobs of git are done. */
export type GitJobs = Pick<JobTools, 'attempts'> & Pick<PollTools, 'polls'>

/** Starts git-worker: it answers requests on git, and runs imports, exports and polls from the work queue until it is stopped. */
export async function startGitWorker(config: Config, parts: Parts): Promise<Service> {
  const { log, takeJobs, ...rest } = parts
  const stopping = new AbortController()
  const { release, ...resources } = await openResources(config)
  const service = await startDatabaseService<BaseContext, Actor>({
    ...rest,
    log,
    name: 'git-worker',
    ...busSettings(config),
    secret: config.SIGNING_SECRET,
    database: gitDatabase(config.DATABASE_URL_GIT_WORKER, databaseLimits(config)),
    refused: refusedToMember('git-worker'),
    api: compose<BaseContext>()(gitWorkerApi, [gitFeature, gitSyncFeature, gitPreviewFeature]),
    calls: compose<BaseContext>()(gitWorkerCalls, [gitWorkerCallFeature]),
    build: async ({ bus, db, transaction, listening }) => {
      const own = { ...contextSettings(config), ...clientsOf(bus) }
      const tools = { db, transaction, log, ...own }
      await takeOver({ ...tools, signal: stopping.signal })
      const holdSeconds = Math.ceil(config.GIT_TIMEOUT / 1_000) + holdMargin
      const attemptTools = { ...tools, blobs: resources.blobs, holdSeconds }
      const jobs = { attempts: createAttempts(attemptTools), polls: createPolls(tools) }
      takeJobs?.(jobs)
      const work = { ...jobs, ...resources, limits: limitsOf(config), log, signal: stopping.signal }
      const consumer = takeJobs ? undefined : consumeJobs(bus, work, config.GIT_CONCURRENCY)
      const git = { ...resources, limits: limitsOf(config) }
      const checks = previewChecks({ ...attemptTools, git })
      const deliveries = statusDeliveries({ ...tools, outgoing: resources.outgoing })
      const workers = takeJobs ? [] : [checks, deliveries]
      const scheduler = startScheduler([...periodicWork(tools), ...workers.map(({ work }) => work)], log, listening)
      parts.metrics.registerQueue('jobs.git', () => pendingJobs(bus))
      parts.metrics.registerQueues(async () => ({ 'git.statuses': await waitingState(db) }))
      return {
        context: base => ({ ...base, ...own }),
        events: { events: { ...contentEvents, ...lifecycleEvents }, handlers: contentEventHandlers },
        stop: async () => {
          stopping.abort(new Error('The worker stops'))
          await scheduler.stop()
          await Promise.all([consumer?.stop(), ...workers.map(worker => worker.stop())])
        },
      }
    },
    check: () => resources.blobs.check(),
  }).catch(async (error: unknown) => {
    await release()
    throw error
  })
  return {
    ready: service.ready,
    stop: async () => {
      await service.stop()
      await release()
    },
  }
}

/**
 * Claims the cache folder (throws when another process has it), deletes export folders that a killed process left, and opens the blob store
 * and the client of git servers. `release` closes both and gives up the folder.
 */
async function openResources(config: Config) {
  const folder = await claimFolder(config.CACHE_DIR)
  const blobs = createBlobStore({ url: config.BLOB_URL })
  const outgoing = createOutgoing({
    allow: config.OUTGOING_ALLOW,
    timeoutMs: config.GIT_TIMEOUT,
    idleTimeoutMs: config.GIT_SILENCE,
    maxBytes: config.GIT_MAX_PACK,
  })
  const cache = new CloneCache({ folder: config.CACHE_DIR, maxBytes: config.GIT_CACHE_MAX_BYTES })
  await cache.clean()
  const release = async () => {
    await outgoing.close()
    blobs.close()
    await folder.release()
  }
  return { blobs, outgoing, cache, release }
}

function clientsOf(bus: Bus) {
  return {
    content: busClient(bus, gitContentCalls, { service: 'content' }),
    people: busClient(bus, peopleCalls, { service: 'identity' }),
  }
}

function contextSettings(config: Config) {
  return {
    publicUrl: config.PUBLIC_URL,
    encryptionKey: config.ENCRYPTION_KEY,
    gitOrganizationJobs: config.GIT_ORGANIZATION_JOBS,
    operationTimeout: config.GIT_TIMEOUT,
  }
}

/** Counts the jobs that no worker has taken yet. */
async function pendingJobs(bus: Bus): Promise<number> {
  return (await bus.manager.consumers.info('JOBS', 'git-worker')).num_pending
}

function periodicWork(tools: Parameters<typeof pollSchedule>[0]): PeriodicWork[] {
  return [
    leaseExpiry(tools),
    credentialExpiry(tools),
    dispatchWaiting({ ...tools, limit: tools.gitOrganizationJobs }),
    pollSchedule(tools),
    mainFollower(tools),
    exportCatchUp(tools),
  ]
}

function consumeJobs(
  bus: Bus,
  work: Omit<JobTools, 'log'> & Omit<PollTools, 'quota' | 'log'> & { log: Log },
  concurrency: number,
): { stop(): Promise<void> } {
  const quota = new OrganizationQuota(concurrency)
  const { log } = work
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
        return pollBranch({ ...work, quota }, gitJobs.pollBranch.payload.parse(delivery.payload))
      const job = payload.parse(delivery.payload)
      return runWithinQuota({ attempts: work.attempts, quota }, job, () => runJob(work, job))
    },
    deadLettered: async (delivery, error) => {
      log.error({ err: error, job: delivery.id }, 'a job was delivered too often')
      const job = payload.safeParse(delivery.payload)
      if (job.success) await abandonJob(work, job.data)
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
