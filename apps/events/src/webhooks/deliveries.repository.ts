import { columnsOf, listPage, newestFirst, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { stateJobs, type JobTable } from '@recto/jobs'
import { Failure } from '@recto/operation'
import { In, LessThan, MoreThan } from 'typeorm'
import { DeliveryEntity, type DeliveryRow } from './webhook.entity.ts'

const columns = columnsOf(DeliveryEntity, 'webhook_deliveries')
const open = ['waiting', 'running']

/**
 * The first open delivery of each key, read once for a statement in the order of the index: to look for an earlier one of each delivery
 * takes time that grows with the square of those that wait for one key. Of two of one event, the one under way is first.
 */
const heads = `array(
  select distinct on (head.webhook_id, head.order_key) head.id from webhook_deliveries head
  where head.state in ('waiting', 'running')
  order by head.webhook_id, head.order_key, head.sequence, head.state, head.id)`

/** Deliveries as jobs: one is open when it is the first of its key. */
export const deliveryJobs: JobTable<DeliveryRow> = stateJobs<DeliveryRow>({
  entity: DeliveryEntity,
  waiting: 'waiting',
  running: 'running',
  leaseMs: 30_000,
  maxAttempts: Infinity,
  dueAt: 'job.due_at',
  open: `job.state in ('waiting', 'running') and job.id = any(${heads})`,
  group: 'job.webhook_id',
})

/** Which deliveries a list shows. */
export interface DeliveryFilter {
  webhookId: string
  status?: string | undefined
}

/** The deliveries of a webhook, the newest first. */
export async function list(
  db: Db,
  { webhookId, status }: DeliveryFilter,
  request: ListRequest,
): Promise<ListPage<DeliveryRow>> {
  const states = status === undefined ? null : status === 'waiting' ? open : [status]
  const sql = `select ${columns} from webhook_deliveries where webhook_id = $1 and ($2::text[] is null or state = any($2))`
  return listPage<DeliveryRow>(db, { sql, values: [webhookId, states], ...newestFirst }, request)
}

/** Throws `not_found` when the webhook has no such delivery. */
export async function get(db: Db, of: { webhookId: string; id: string }): Promise<DeliveryRow> {
  const row = await db.findOneBy(DeliveryEntity, of)
  if (!row) throw new Failure('not_found', 'There is no such delivery')
  return row
}

/** How many deliveries of each of these webhooks wait. */
export async function countWaiting(db: Db, webhookIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await query<{ id: string; count: number }>(
    db,
    `select webhook_id as id, count(*)::int as count from webhook_deliveries
     where webhook_id = any($1) and state in ('waiting', 'running') group by 1`,
    [webhookIds],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Writes new deliveries. */
export async function insert(tx: Db, rows: DeliveryRow[]): Promise<void> {
  if (rows.length > 0) await tx.insert(DeliveryEntity, rows as never)
}

/** Sends a delivery again at once, with all of its attempts. */
export async function restart(tx: Db, id: string, now: Date): Promise<void> {
  const changes = { state: 'waiting', failures: 0, heartbeatAt: null, dueAt: now, endedAt: null }
  await tx.update(DeliveryEntity, { id }, changes)
}

/** Holds the deliveries of a webhook back until a time. */
export async function postponeAll(tx: Db, webhookId: string, until: Date): Promise<void> {
  await tx.update(DeliveryEntity, { webhookId, state: 'waiting', dueAt: LessThan(until) }, { dueAt: until })
}

/** Makes the deliveries of a webhook due that were held back by a pause. */
export async function resumeAll(tx: Db, webhookId: string, now: Date): Promise<void> {
  await tx.update(DeliveryEntity, { webhookId, state: 'waiting', failures: 0 }, { dueAt: now })
}

/** Gives up the deliveries of a webhook that wait. */
export async function skipWaiting(tx: Db, webhookId: string, now: Date): Promise<void> {
  await tx.update(DeliveryEntity, { webhookId, state: 'waiting' }, { state: 'skipped', endedAt: now })
}

/** Deletes the deliveries of a webhook that wait, for events behind a sequence: they are planned again. */
export async function removeWaitingAfter(tx: Db, webhookId: string, sequence: number): Promise<void> {
  await tx.delete(DeliveryEntity, { webhookId, state: 'waiting', sequence: MoreThan(sequence) })
}

/** Deletes deliveries that ended before a time. */
export async function deleteEnded(db: Db, before: Date): Promise<void> {
  await db.delete(DeliveryEntity, { state: In(['delivered', 'failed', 'skipped']), endedAt: LessThan(before) })
}

/** How many deliveries wait, and for how many seconds the longest overdue one has not been tried. */
export async function waitingState(db: Db): Promise<{ depth: number; oldest: number }> {
  const [row] = await query<{ depth: number; oldest: number | null }>(
    db,
    `select count(*)::int as depth, (
       select extract(epoch from now() - min(job.due_at))::float8 from webhook_deliveries job
       where ${deliveryJobs.open} and job.state = 'waiting' and job.due_at <= now()
     ) as oldest
     from webhook_deliveries where state in ('waiting', 'running')`,
  )
  return { depth: row?.depth ?? 0, oldest: row?.oldest ?? 0 }
}

/** The webhooks with deliveries that wait, and how many each has. */
export async function listWaiting(db: Db): Promise<{ webhook: string; organization: string; count: number }[]> {
  return query(
    db,
    `select webhook_id as webhook, organization_id as organization, count(*)::int as count from webhook_deliveries
     where state in ('waiting', 'running') group by 1, 2 order by 2, 1`,
  )
}
