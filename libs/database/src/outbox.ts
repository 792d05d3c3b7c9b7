import { createId, type Event, type Payload } from '@recto/operation'
import { injectTrace } from '@recto/telemetry'
import { In, IsNull, Raw } from 'typeorm'
import { columnsOf } from './columns.ts'
import { untilEarliest } from './due-rows.ts'
import type { Db } from './open.ts'
import { OutboxEntity } from './outbox.entity.ts'
import { ProcessedMessageEntity } from './processed-message.entity.ts'
import { query } from './query.ts'

/** SQL that creates the tables of the transactional outbox and of processed messages; part of each service's first migration. */
export const messagingTables = [
  `create table outbox (
    id text primary key,
    subject text not null,
    payload jsonb not null,
    consumers text[] not null,
    acknowledged_by text[] not null default '{}',
    created_at timestamptz not null default now(),
    dispatch_at timestamptz not null default now(),
    dispatches int not null default 0,
    done_at timestamptz
  )`,
  `create index outbox_waiting on outbox (dispatch_at) where done_at is null`,
  `create index outbox_done on outbox (done_at) where done_at is not null`,
  `create table processed_messages (
    id text not null primary key,
    processed_at timestamptz not null default now()
  )`,
  `create index processed_messages_processed on processed_messages (processed_at)`,
]

/** SQL that adds the trace column to the outbox; part of a later migration of each service. */
export const outboxTrace = 'alter table outbox add column trace jsonb'

/** A message to be published once the transaction that writes it has committed. */
export interface OutgoingMessage {
  /** Unique; enqueueing the same id again restarts its delivery. */
  id: string
  subject: string
  payload: unknown
  /** Services that must acknowledge it; without any it is done as soon as its stream has stored it. */
  consumers: readonly string[]
}

/** A row of the outbox that waits to be published. */
export interface WaitingMessage {
  id: string
  subject: string
  payload: unknown
  consumers: string[]
  dispatches: number
  /** When it was last enqueued, milliseconds since the epoch: distinguishes a message that was enqueued again from one that is dispatched again. */
  enqueuedAt: number
  /** Headers with the trace that enqueued it; null when there was none. */
  trace: Record<string, string> | null
}

/** Writes a message to the outbox in the caller's transaction: it is published if and only if that commits. The current trace goes with it. */
export async function enqueue(db: Db, message: OutgoingMessage): Promise<void> {
  await enqueueAll(db, [message])
}

/** Writes messages to the outbox as `enqueue` does, and notifies the relay, in one statement. */
export async function enqueueAll(db: Db, messages: readonly OutgoingMessage[]): Promise<void> {
  const trace = injectTrace<Record<string, string>>({})
  await query(
    db,
    `with written as (
       insert into outbox (id, subject, payload, consumers, trace)
       select m.id, m.subject, m.payload, array(select jsonb_array_elements_text(m.consumers)), $2::jsonb
       from jsonb_to_recordset($1::jsonb) as m (id text, subject text, payload jsonb, consumers jsonb)
       on conflict (id) do update set acknowledged_by = '{}', created_at = now(), dispatch_at = now(), dispatches = 0,
         done_at = null, trace = excluded.trace
     )
     select pg_notify('outbox', '')`,
    [
      JSON.stringify(messages.map(({ id, subject, payload, consumers }) => ({ id, subject, payload, consumers }))),
      Object.keys(trace).length > 0 ? JSON.stringify(trace) : null,
    ],
  )
}

/** Writes an event to the outbox in the caller's transaction. */
export async function enqueueEvent<T extends Event>(db: Db, event: T, payload: Payload<T>): Promise<OutgoingMessage> {
  const message = {
    id: createId(),
    subject: event.subject,
    payload: event.payload.parse(payload),
    consumers: event.consumers,
  }
  await enqueue(db, message)
  return message
}

const taken = columnsOf(OutboxEntity, 'outbox', ['id', 'subject', 'payload', 'consumers', 'dispatches', 'trace'])

/** Takes messages that are due, and postpones their next dispatch by `redeliverAfter` seconds times the dispatches so far (ten times at most). */
export async function takeDue(
  db: Db,
  { limit, redeliverAfter }: { limit: number; redeliverAfter: number },
): Promise<WaitingMessage[]> {
  return query<WaitingMessage>(
    db,
    `update outbox set dispatches = dispatches + 1, dispatch_at = now() + make_interval(secs => $2::float8 * least(dispatches + 1, 10))
     where id in (
       select id from outbox where done_at is null and dispatch_at <= now() order by dispatch_at limit $1 for update skip locked
     ) returning ${taken}, (extract(epoch from created_at) * 1000)::bigint as "enqueuedAt"`,
    [limit, redeliverAfter],
  )
}

/** Milliseconds until the next message is due, negative when one is overdue, infinite when none waits. */
export async function untilDue(db: Db): Promise<number> {
  return untilEarliest(db, 'select min(dispatch_at) from outbox where done_at is null')
}

/** How many messages wait in a part of the outbox, and the seconds that the oldest of them has waited. */
interface WaitingState {
  depth: number
  oldest: number
}

/**
 * The messages that wait, for metrics: `outbox` is all of it, whose oldest is the longest overdue message, which the relay has not published;
 * `events` were not acknowledged by all of their consumers; work that has not ended is listed by its subject, `jobs.…`.
 */
export async function waitingStates(db: Db): Promise<Record<string, WaitingState>> {
  const rows = await query<{ queue: string; depth: number; age: number; overdue: number }>(
    db,
    `select case when subject like 'jobs.%' then subject else 'events' end as queue, count(*)::int as depth,
       extract(epoch from now() - min(created_at))::float8 as age, extract(epoch from now() - min(dispatch_at))::float8 as overdue
     from outbox where done_at is null group by 1`,
  )
  const outbox = {
    depth: rows.reduce((sum, { depth }) => sum + depth, 0),
    oldest: Math.max(0, ...rows.map(({ overdue }) => overdue)),
  }
  const parts = rows.map(({ queue, depth, age }) => [queue, { depth, oldest: age }])
  return { outbox, events: { depth: 0, oldest: 0 }, ...Object.fromEntries(parts) }
}

/** A message that is not acknowledged by all. */
export interface UnacknowledgedMessage {
  id: string
  subject: string
  createdAt: Date
  dispatches: number
  /** Consumers that have not acknowledged it; none of a message that its stream has not stored. */
  waitsFor: string[]
}

/** Messages that are not acknowledged, the oldest first; at most a thousand. */
export async function listWaiting(db: Db): Promise<UnacknowledgedMessage[]> {
  const rows = await db.find(OutboxEntity, { where: { doneAt: IsNull() }, order: { createdAt: 'ASC' }, take: 1_000 })
  return rows.map(({ consumers, acknowledgedBy, ...row }) => ({
    ...row,
    waitsFor: consumers.filter(consumer => !acknowledgedBy.includes(consumer)),
  }))
}

/** Publishes messages that are not acknowledged again at once, all of them unless ids are given; resolves to their number. */
export async function redeliver(db: Db, ids: readonly string[]): Promise<number> {
  const { affected } = await db
    .createQueryBuilder()
    .update(OutboxEntity)
    .set({ dispatchAt: () => 'now()' })
    .where({ doneAt: IsNull(), ...(ids.length > 0 && { id: In([...ids]) }) })
    .execute()
  await query(db, `select pg_notify('outbox', '')`)
  return affected ?? 0
}

/** Postpones the next dispatch of a message by seconds, because its work is known to be in progress. */
export async function postpone(db: Db, id: string, seconds: number): Promise<void> {
  await db
    .createQueryBuilder()
    .update(OutboxEntity)
    .set({ dispatchAt: () => 'now() + make_interval(secs => :seconds)' })
    .where({ id, doneAt: IsNull() })
    .setParameters({ seconds })
    .execute()
}

/** Marks a message as published and done; for messages without consumers and for jobs that have ended. */
export async function markPublished(db: Db, id: string): Promise<void> {
  await db.update(OutboxEntity, { id }, { doneAt: () => 'now()' })
}

/** Records that a consumer has processed messages; each is done when all of its consumers have. */
export async function acknowledge(db: Db, ids: string[], consumer: string): Promise<void> {
  await query(
    db,
    `update outbox set acknowledged_by = array_append(array_remove(acknowledged_by, $2), $2),
       done_at = case when consumers <@ array_append(acknowledged_by, $2) then now() else done_at end
     where id = any($1) and done_at is null`,
    [ids, consumer],
  )
}

/** How a delivery ended: its message was handled now, had been handled before, or is being handled by another delivery. */
export type HandleOutcome = 'handled' | 'repeated' | 'in progress'

/**
 * Runs `handle` in a transaction once per message id, however often the message is delivered. It never waits for another delivery
 * that handles the message, whose handler may yet fail: deliver the message again when it is `in progress`.
 */
export async function handleOnce(db: Db, id: string, handle: (db: Db) => Promise<void>): Promise<HandleOutcome> {
  return db.transaction(async transaction => {
    const [row] = await query<{ locked: boolean; isNew: boolean }>(
      transaction,
      `with lock as materialized (
         select pg_try_advisory_xact_lock(hashtextextended('processed message ' || $1, 3)) as locked
       ), processed as (
         insert into processed_messages (id) select $1 from lock where locked on conflict do nothing returning id
       )
       select locked, exists (select from processed) as "isNew" from lock`,
      [id],
    )
    if (row?.locked !== true) return 'in progress'
    if (!row.isNew) return 'repeated'
    await handle(transaction)
    return 'handled'
  })
}

/** Deletes messages that were done, or processed, more than `days` ago. */
export async function deleteOldMessages(db: Db, days: number): Promise<void> {
  const past = Raw(column => `${column} < now() - make_interval(days => :days)`, { days })
  await db.delete(OutboxEntity, { doneAt: past })
  await db.delete(ProcessedMessageEntity, { processedAt: past })
}
