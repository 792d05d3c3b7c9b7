import { createHash } from 'node:crypto'
import type { Db, Transaction } from '@recto/database'
import { createWorker, retryDelay, type RunningJob, type Worker } from '@recto/jobs'
import type { Secrets } from '@recto/operation'
import type { Outgoing } from '@recto/outgoing'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { LRUCache } from 'lru-cache'
import type { ForgeResult } from '../forges/forge-reply.rules.ts'
import { requestForge } from '../forges/request-forge.ts'
import {
  checkRequest,
  type ForgeApi,
  statusName,
  statusRequest,
  type SentStatus,
} from '../forges/status-request.rules.ts'
import * as previews from '../previews/git-previews.repository.ts'
import type { GitStatusRow } from '../previews/git-status.entity.ts'
import * as statuses from '../previews/git-statuses.repository.ts'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { lockSync } from '../syncs/follow-sync.ts'
import { statusApiOf } from '../syncs/preview-settings.ts'

/** Dependencies of deliveries. */
export interface DeliveryTools {
  db: Db
  transaction: RunTransaction
  log: Log
  outgoing: Outgoing
  encryptionKey: Secrets
}

/** Milliseconds between attempts while a forge is away, and while it refuses a status. */
const awayTimes = { first: 1_000, longest: 600_000 }
const refusedTimes = { first: 60_000, longest: 3_600_000 }
/** Attempts after which a status that is refused waits for other settings. */
const maxRefusals = 24

/** Forges whose token may make no check runs, so that the next status needs one request only. */
type WithoutChecks = LRUCache<string, true>

/** Delivers statuses of commits to their forges, at least once, and the newest last. */
export function statusDeliveries(tools: DeliveryTools): Worker {
  const { db, transaction, log } = tools
  const withoutChecks: WithoutChecks = new LRUCache({ max: 1_000, ttl: 3_600_000 })
  return createWorker<GitStatusRow>({
    name: 'statuses of commits',
    table: statuses.statusJobs,
    wokenBy: ['git_statuses'],
    db,
    transaction,
    log,
    concurrency: 4,
    // A forge takes the statuses of one space in turn.
    maxPerGroup: 1,
    every: 1_000,
    heartbeat: 5_000,
    attempt: (status, job) => attempt({ ...tools, withoutChecks }, status, job),
    giveUp: async () => undefined,
  })
}

async function attempt(
  tools: DeliveryTools & { withoutChecks: WithoutChecks },
  status: GitStatusRow,
  job: RunningJob<GitStatusRow>,
): Promise<void> {
  const sync = await syncs.find(tools.db, status.spaceId)
  const api = sync && statusApiOf(sync, tools.encryptionKey)
  const result = sync && api ? await send({ ...api, url: sync.url }, status, { ...tools, signal: job.signal }) : noToken
  await tools.transaction(async tx => {
    await lockSync(tx, status.spaceId)
    const current = await statuses.lock(tx, status.id)
    await job.finish(tx, afterAttempt(current ?? status, status, result))
    if (result.kind === 'limited') await statuses.postponeAll(tx, status.spaceId, result.until)
    if (sync) await forgetToken(tx, sync)
  })
  if (result.kind === 'refused') tools.log.warn({ status: status.id, code: result.status }, 'a forge refused a status')
}

const noToken: ForgeResult = { kind: 'refused', status: 401, message: 'There is no token for statuses any more' }

/** The columns of a status after an attempt to deliver one of its versions; `current` may be newer. */
function afterAttempt(current: GitStatusRow, sent: GitStatusRow, result: ForgeResult): Partial<GitStatusRow> {
  const now = Date.now()
  const { attempts } = sent
  const later = (times: typeof awayTimes) => new Date(now + retryDelay(attempts, times, Math.random()))
  switch (result.kind) {
    case 'accepted': {
      const dueAt = current.version > sent.version ? new Date(now) : null
      return { isTaken: false, deliveredVersion: sent.version, attempts: 0, error: null, dueAt }
    }
    case 'limited':
      return {
        isTaken: false,
        attempts: attempts - 1,
        dueAt: result.until,
        error: 'The forge limits requests for a while',
      }
    case 'away':
      return { isTaken: false, dueAt: later(awayTimes), error: result.message }
    case 'refused':
      return { isTaken: false, dueAt: attempts < maxRefusals ? later(refusedTimes) : null, error: result.message }
  }
}

/** Sends a status: as a check run where the token may make one, since that has annotations, else as the status of a commit. */
async function send(
  api: ForgeApi,
  row: GitStatusRow,
  tools: DeliveryTools & { withoutChecks: WithoutChecks; signal: AbortSignal },
): Promise<ForgeResult> {
  const name = statusName(row.spaceId)
  const status = await withAnnotations(row, tools.db)
  const key = createHash('sha256').update(JSON.stringify(api)).digest('hex')
  if (api.forge === 'github' && !tools.withoutChecks.has(key)) {
    const { result } = await requestForge(tools.outgoing, checkRequest(api, name, status), tools)
    if (result.kind !== 'refused' || ![401, 403, 404].includes(result.status)) return result
    tools.withoutChecks.set(key, true)
  }
  return (await requestForge(tools.outgoing, statusRequest(api, name, status), tools)).result
}

async function withAnnotations(row: GitStatusRow, db: Db): Promise<SentStatus> {
  const preview = await previews.find(db, row.previewId)
  const items = preview?.commit === row.commit ? (preview.report?.faults.items ?? []) : []
  const annotations = items.map(({ file, line = 1, message }) => ({ path: file, line, message }))
  return { ...row, annotations }
}

/** Forgets the token of previews that were switched off when the last status is delivered. */
async function forgetToken(tx: Transaction, { spaceId, id }: GitSyncRow): Promise<void> {
  const sync = await syncs.find(tx, spaceId)
  if (sync?.id !== id || sync.previews || sync.statusToken === null) return
  if (!(await statuses.isOpenOf(tx, spaceId))) await syncs.update(tx, sync, { statusToken: null })
}
