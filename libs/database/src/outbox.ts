import { createId, type Event, type Payload } from '@recto/operation'
import { injectTrace } from '@recto/telemetry'
import { IsNull, Raw } from 'typeorm'
import { columnsOf } from './columns.ts'
import { InboxEntity } from './inbox.entity.ts'
import type { Db } from './open.ts'
import { OutboxEntity } from './outbox.entity.ts'
import { query } from './query.ts'

/** SQL that makes the tables of outbox and inbox; part of each service's first migration. */
export const messagingTables = [
  `create table outbox (
    id text primary key,
    subject text not null,
    payload jsonb not null,
    consumers text[] not null,
    confirmed_by text[] not null default '{}',
    created_at timestamptz not null default now(),
    dispatch_at timestamptz not null default now(),
    dispatches int not null default 0,
    done_at timestamptz
  )`,
  `create index outbox_waiting on outbox (dispatch_at) where done_at is null`,
  `create index outbox_done on outbox (done_at) where done_at is not null`,
  `create table inbox (
    id text not null primary key,
    handled_at timestamptz not null default now()
  )`,
  `create index inbox_handled on inbox (handled_at)`,
]

/** The entities of these tables; part of each service's list of entities. */
export const messagingEntities = [OutboxEntity, InboxEntity]
/** SQL that lets an outbox carry traces; part of a later migration of each service. */
export const outboxTrace = 'alter table outbox add column trace jsonb'

/** A message to be told when the transaction has committed. */
export interface OutgoingMessage {
  /** Unique id; the same id is told once. */
  id: string
  subject: string
  payload: unknown
  /** Who must confirm it; nobody: done as soon as it is stored in its stream. */
  consumers: readonly string[]
}

/** A row of the outbox that waits to be published. */
export interface WaitingMessage {
  id: string
  subject: string
  payload: unknown
  consumers: string[]
  dispatches: number
  /** When it was last told, milliseconds since the epoch: what was told again under its id differs from what is only dispatched again. */
  toldAt: number
  /** Headers that hold the trace of what told it; null when there was none. */
  trace: Record<string, string> | null
}

/** Writes a message in the caller's transaction: it is told if and only if the change it tells of is kept. It carries the current trace on. */
export async function tell(db: Db, { id, subject, payload, consumers }: OutgoingMessage): Promise<void> {
  const trace = injectTrace<Record<string, string>>({})
  const undelivered = {
    confirmedBy: [],
    createdAt: () => 'now()',
    dispatchAt: () => 'now()',
    dispatches: 0,
    doneAt: null,
  }
  await db
    .createQueryBuilder()
    .insert()
    .into(OutboxEntity)
    .values({
      id,
      subject,
      payload: payload as object,
      consumers: [...consumers],
      trace: Object.keys(trace).length > 0 ? trace : null,
      ...undelivered,
    })
    .orUpdate(['confirmed_by', 'created_at', 'dispatch_at', 'dispatches', 'done_at', 'trace'], ['id'])
    .execute()
  await query(db, `select pg_notify('outbox', '')`)
}

/** Writes an event in the caller's transaction; give the result to `signal` after the commit, so that caches drop at once. */
export async function tellEvent<T extends Event>(db: Db, event: T, payload: Payload<T>): Promise<OutgoingMessage> {
  const message = {
    id: createId(),
    subject: event.subject,
    payload: event.payload.parse(payload),
    consumers: event.consumers,
  }
  await tell(db, message)
  return message
}

const taken = columnsOf(OutboxEntity, 'outbox', ['id', 'subject', 'payload', 'consumers', 'dispatches', 'trace'])

/** Takes messages that are due, and puts off their next dispatch by `again` seconds times the tries so far (ten times at most). */
export async function takeDue(db: Db, { limit, again }: { limit: number; again: number }): Promise<WaitingMessage[]> {
  return query<WaitingMessage>(
    db,
    `update outbox set dispatches = dispatches + 1, dispatch_at = now() + make_interval(secs => $2::float8 * least(dispatches + 1, 10))
     where id in (
       select id from outbox where done_at is null and dispatch_at <= now() order by dispatch_at limit $1 for update skip locked
     ) returning ${taken}, (extract(epoch from created_at) * 1000)::bigint as "toldAt"`,
    [limit, again],
  )
}

/** Milliseconds until the next message is due, less than nothing when one is already; infinite when none waits. */
export async function untilDue(db: Db): Promise<number> {
  const [row] = await query<{ ms: number | null }>(
    db,
    `select extract(epoch from min(dispatch_at) - now())::float8 * 1000 as ms from outbox where done_at is null`,
  )
  return row?.ms ?? Infinity
}

/** How many messages wait to be told or confirmed: for metrics. */
export async function countWaiting(db: Db): Promise<number> {
  return db.countBy(OutboxEntity, { doneAt: IsNull() })
}

/** Puts off the next dispatch of a message whose work is known to go on. */
export async function postpone(db: Db, id: string, seconds: number): Promise<void> {
  await db
    .createQueryBuilder()
    .update(OutboxEntity)
    .set({ dispatchAt: () => 'now() + make_interval(secs => :seconds)' })
    .where({ id, doneAt: IsNull() })
    .setParameters({ seconds })
    .execute()
}

/** Marks a message that no consumer must confirm as told. */
export async function markTold(db: Db, id: string): Promise<void> {
  await db.update(OutboxEntity, { id }, { doneAt: () => 'now()' })
}

/** Records that a consumer has handled messages; each is done when all of its consumers have. */
export async function confirm(db: Db, ids: string[], consumer: string): Promise<void> {
  await query(
    db,
    `update outbox set confirmed_by = array_append(array_remove(confirmed_by, $2), $2),
       done_at = case when consumers <@ array_append(confirmed_by, $2) then now() else done_at end
     where id = any($1) and done_at is null`,
    [ids, consumer],
  )
}

/** Runs `handle` in a transaction once per message id, however often the message is delivered; false when it had been handled before. */
export async function handleOnce(db: Db, id: string, handle: (db: Db) => Promise<void>): Promise<boolean> {
  return db.transaction(async transaction => {
    const insert = transaction.createQueryBuilder().insert().into(InboxEntity).values({ id }).orIgnore().returning('id')
    const { raw } = await insert.execute()
    if (raw.length === 0) return false
    await handle(transaction)
    return true
  })
}

/** Deletes what was done or handled more than `days` ago. */
export async function forget(db: Db, days: number): Promise<void> {
  const past = Raw(column => `${column} < now() - make_interval(days => :days)`, { days })
  await db.delete(OutboxEntity, { doneAt: past })
  await db.delete(InboxEntity, { handledAt: past })
}
