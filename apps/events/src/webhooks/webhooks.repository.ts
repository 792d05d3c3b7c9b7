import { columnsOf, listPage, newestFirst, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { Failure } from '@recto/operation'
import { newestSequence } from '../record/events.sql.ts'
import { WebhookEntity, type WebhookRow } from './webhook.entity.ts'

const columns = columnsOf(WebhookEntity, 'webhooks')

/** The webhooks of an organization, the newest first. */
export async function list(db: Db, organizationId: string, request: ListRequest): Promise<ListPage<WebhookRow>> {
  const sql = `select ${columns} from webhooks where organization_id = $1`
  return listPage<WebhookRow>(db, { sql, values: [organizationId], ...newestFirst }, request)
}

/** How many webhooks an organization has. */
export async function count(db: Db, organizationId: string): Promise<number> {
  return db.countBy(WebhookEntity, { organizationId })
}

/** Throws `not_found` when the organization has no such webhook. */
export async function get(db: Db, of: { organizationId: string; id: string }): Promise<WebhookRow> {
  const row = await db.findOneBy(WebhookEntity, of)
  if (!row) throw new Failure('not_found', 'There is no such webhook')
  return row
}

/** A webhook; undefined when it is gone. */
export async function find(db: Db, id: string): Promise<WebhookRow | undefined> {
  return (await db.findOneBy(WebhookEntity, { id })) ?? undefined
}

/** A webhook, locked until the transaction ends; undefined when it is gone. */
export async function lock(tx: Db, id: string): Promise<WebhookRow | undefined> {
  return (await tx.findOne(WebhookEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** Locks a webhook of an organization until the transaction ends; throws `not_found`. */
export async function lockOf(tx: Db, of: { organizationId: string; id: string }): Promise<WebhookRow> {
  const row = await lock(tx, of.id)
  if (row?.organizationId !== of.organizationId) throw new Failure('not_found', 'There is no such webhook')
  return row
}

/** The attempts in a row that endpoints failed, by the ids of their webhooks: the twenty with most, so that metrics have few labels. */
export async function failuresByWebhook(db: Db): Promise<Record<string, number>> {
  const rows = await query<{ id: string; failures: number }>(
    db,
    'select id, failures from webhooks where enabled and failures > 0 order by failures desc, id limit 20',
  )
  return Object.fromEntries(rows.map(({ id, failures }) => [id, failures]))
}

/** Writes a new webhook. */
export async function insert(tx: Db, row: WebhookRow): Promise<void> {
  await tx.insert(WebhookEntity, row)
}

/** Changes a webhook. */
export async function update(tx: Db, id: string, changes: Partial<WebhookRow>): Promise<void> {
  await tx.update(WebhookEntity, { id }, changes)
}

/** Deletes a webhook with its deliveries. */
export async function remove(tx: Db, id: string): Promise<void> {
  await tx.delete(WebhookEntity, { id })
}

const isBehind = `webhooks.enabled and webhooks.cursor < ${newestSequence('webhooks.organization_id')} and (
  select count(*) from webhook_deliveries waiting where waiting.webhook_id = webhooks.id and waiting.state in ('waiting', 'running')
) < $1`

/** Webhooks behind the newest event of their organization, of which fewer deliveries wait than `window`. */
export async function listBehind(db: Db, window: number, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>(db, `select webhooks.id from webhooks where ${isBehind} limit $2`, [
    window,
    limit,
  ])
  return rows.map(({ id }) => id)
}

/** Ids of all webhooks. */
export async function listIds(db: Db): Promise<string[]> {
  return (await db.find(WebhookEntity, { select: { id: true } })).map(({ id }) => id)
}
