import type { RecordedChange } from '@recto/contracts-shared'
import { columnsOf, query, type Db } from '@recto/database'
import { In, LessThanOrEqual, MoreThan } from 'typeorm'
import type { z } from 'zod'
import { chainHash, firstHash } from './chain.rules.ts'
import {
  EarlyChangeEntity,
  EventEntity,
  EventSequenceEntity,
  SourcePositionEntity,
  type EventRow,
  type EventSequenceRow,
} from './event.entity.ts'

/** A change as a service has recorded it. */
export type Change = z.output<typeof RecordedChange>

const columns = columnsOf(EventEntity, 'events')

/** Where the events of an organization begin and end. */
export async function findSequence(db: Db, organizationId: string): Promise<EventSequenceRow> {
  return (await db.findOneBy(EventSequenceEntity, { organizationId })) ?? newSequence(organizationId)
}

/** The same, locked until the transaction ends: one change of an organization is appended after another. */
export async function lockSequence(tx: Db, organizationId: string): Promise<EventSequenceRow> {
  const lock = { where: { organizationId }, lock: { mode: 'pessimistic_write' as const } }
  const sequence = await tx.findOne(EventSequenceEntity, lock)
  if (sequence) return sequence
  await tx
    .createQueryBuilder()
    .insert()
    .into(EventSequenceEntity)
    .values(newSequence(organizationId))
    .orIgnore()
    .execute()
  return tx.findOneOrFail(EventSequenceEntity, lock)
}

function newSequence(organizationId: string): EventSequenceRow {
  return { organizationId, last: 0, lastHash: firstHash, deletedUpTo: 0, deletedHash: firstHash }
}

/** How far the record of an organization is. */
export interface RecordState {
  /** The number of the last change of a service that is in the record; 0 without any. */
  last: number
  /** Whether it has the event of a change. */
  isPresent: boolean
}

/** How far a record is with the changes of a service, and whether it has one of them. */
export async function readState(
  db: Db,
  { organizationId, source }: SourcePlace,
  changeId?: string,
): Promise<RecordState> {
  const [state] = await query<RecordState>(
    db,
    `select coalesce((select last from source_positions where organization_id = $1 and source = $2), 0) as last,
       exists (select from events where id = $3) as "isPresent"`,
    [organizationId, source, changeId ?? null],
  )
  return state ?? { last: 0, isPresent: false }
}

/** Sets the number of the last change of a service. */
export async function setLastNumber(tx: Db, { organizationId, source }: SourcePlace, last: number): Promise<void> {
  await tx.upsert(SourcePositionEntity, { organizationId, source, last }, ['organizationId', 'source'])
}

/** Where a record is after changes were appended to it. */
export interface Appended {
  sequence: EventSequenceRow
  /** Whether changes of the same service have arrived that come later. */
  isEarlyWaiting: boolean
}

/** Appends changes and sets the number of the last one, in one statement; notifies who waits for them when the transaction commits. */
export async function append(
  tx: Db,
  sequence: EventSequenceRow,
  { source, changes, lastNumber }: { source: string; changes: readonly Change[]; lastNumber: number },
): Promise<Appended> {
  const { organizationId } = sequence
  const rows: object[] = []
  let { last, lastHash } = sequence
  for (const change of changes) {
    last += 1
    const event = eventOf(change, { source, sequence: last })
    lastHash = chainHash(lastHash, event)
    rows.push({ ...event, subjectIds: Object.values(event.subject), hash: lastHash.toString('hex') })
  }
  const [appended] = await query<Pick<Appended, 'isEarlyWaiting'>>(tx, appendStatement, [
    organizationId,
    source,
    JSON.stringify(rows),
    last,
    lastHash,
    lastNumber,
  ])
  return { sequence: { ...sequence, last, lastHash }, isEarlyWaiting: appended?.isEarlyWaiting === true }
}

const appendStatement = `
  with appended as (
    insert into events (organization_id, sequence, id, source, occurred_at, type, subject, subject_ids, revision, details,
      actor_kind, actor_id, operation_id, request_id, client, hash)
    select $1, e.sequence, e.id, $2, e."occurredAt", e.type, e.subject, array(select jsonb_array_elements_text(e."subjectIds")),
      e.revision, e.details, e."actorKind", e."actorId", e."operationId", e."requestId", e.client, decode(e.hash, 'hex')
    from jsonb_to_recordset($3::jsonb) as e (
      sequence int, id text, "occurredAt" timestamptz, type text, subject jsonb, "subjectIds" jsonb, revision jsonb, details jsonb,
      "actorKind" text, "actorId" text, "operationId" text, "requestId" text, client jsonb, hash text
    )
  ), counted as (
    update event_sequences set last = $4, last_hash = $5 where organization_id = $1
  ), placed as (
    insert into source_positions (organization_id, source, last) values ($1, $2, $6)
    on conflict (organization_id, source) do update set last = excluded.last
  )
  select pg_notify('records', $1),
    exists (select from early_changes where organization_id = $1 and source = $2 and number > $6) as "isEarlyWaiting"`

function eventOf(change: Change, { source, sequence }: { source: string; sequence: number }) {
  const { id, type, organization, subject, revision, details, actor, operationId, requestId, client } = change
  return {
    organizationId: organization,
    sequence,
    id,
    source,
    occurredAt: new Date(change.time),
    type,
    subject: subject as Record<string, string>,
    revision: revision ?? null,
    details: details ?? null,
    actorKind: actor?.kind ?? null,
    actorId: actor?.id ?? null,
    operationId: operationId ?? null,
    requestId: requestId ?? null,
    client: client ?? null,
  }
}

/** Keeps a change until those before it have arrived. */
export async function keepEarly(tx: Db, source: string, change: Change): Promise<void> {
  const { organization: organizationId, number } = change
  const row = { organizationId, source, number, change, arrivedAt: new Date() }
  await tx
    .createQueryBuilder()
    .insert()
    .into(EarlyChangeEntity)
    .values(row as never)
    .orIgnore()
    .execute()
}

/** The changes that one service has made in one organization. */
export interface SourcePlace {
  organizationId: string
  source: string
}

/** Takes the changes that follow a number without a gap from those that arrived early, `limit` at most. */
export async function takeFollowing(
  tx: Db,
  place: SourcePlace,
  { last, limit }: { last: number; limit: number },
): Promise<Change[]> {
  const early = await tx.find(EarlyChangeEntity, {
    where: { ...place, number: MoreThan(last) },
    order: { number: 'ASC' },
    take: limit,
  })
  const following = early.filter(({ number }, at) => number === last + 1 + at)
  const numbers = following.map(({ number }) => number)
  if (numbers.length > 0) await tx.delete(EarlyChangeEntity, { ...place, number: In(numbers) })
  return following.map(({ change }) => change as Change)
}

/** Where changes have waited since before a time for those that come before them. */
export async function listStuck(db: Db, before: Date, limit: number): Promise<SourcePlace[]> {
  return query<SourcePlace>(
    db,
    `select organization_id as "organizationId", source from early_changes
     group by organization_id, source having min(arrived_at) < $1 limit $2`,
    [before, limit],
  )
}

/** The lowest number behind one of the changes that arrived early; undefined without any. */
export async function firstEarly(db: Db, place: SourcePlace, last: number): Promise<number | undefined> {
  const where = { ...place, number: MoreThan(last) }
  return (await db.findOne(EarlyChangeEntity, { where, order: { number: 'ASC' } }))?.number
}

/** Events are read behind one of them. */
export interface EventFilter {
  organizationId: string
  after: number
  types?: readonly string[] | undefined
  /** Ids that its subject has, all of them. */
  subjects?: readonly string[] | undefined
}

/** The next events behind one, in their order. */
export async function listAfter(db: Db, filter: EventFilter, limit: number): Promise<EventRow[]> {
  const { organizationId, after, types = null, subjects = [] } = filter
  return query<EventRow>(
    db,
    `select ${columns} from events where organization_id = $1 and sequence > $2
       and ($3::text[] is null or type = any($3)) and (cardinality($4::text[]) = 0 or subject_ids @> $4)
     order by sequence limit $5`,
    [organizationId, after, types, subjects, limit],
  )
}

/** The event with a sequence; undefined for one that is not kept. */
export async function findBySequence(db: Db, organizationId: string, sequence: number): Promise<EventRow | undefined> {
  return (await db.findOneBy(EventEntity, { organizationId, sequence })) ?? undefined
}

/** The first event that is not older than a time, of those that are kept; undefined without any. */
export async function firstSince(db: Db, organizationId: string, time: Date): Promise<number | undefined> {
  const [row] = await query<{ sequence: number | null }>(
    db,
    `select min(sequence) as sequence from events where organization_id = $1 and occurred_at >= $2`,
    [organizationId, time],
  )
  return row?.sequence ?? undefined
}

/** Of the events since a time, those that `beginningSince` looks at. */
const beginning = 1_000

/**
 * The same at a cost that does not grow with the events: the first of the thousand that happened first. Events arrive in about the order
 * in which they happened.
 */
export async function beginningSince(db: Db, organizationId: string, time: Date): Promise<number | undefined> {
  const [row] = await query<{ sequence: number | null }>(
    db,
    `select min(sequence) as sequence from (
       select sequence from events where organization_id = $1 and occurred_at >= $2 order by occurred_at, sequence limit $3
     ) first`,
    [organizationId, time, beginning],
  )
  return row?.sequence ?? undefined
}

/** Organizations whose oldest event is older than a time. */
export async function organizationsWithOlder(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select s.organization_id as id from event_sequences s
     join events e on e.organization_id = s.organization_id and e.sequence = s.deleted_up_to + 1
     where e.occurred_at < $1 limit $2`,
    [before, limit],
  )
  return rows.map(({ id }) => id)
}

/**
 * Deletes events from the beginning of an organization up to the first that is not older than a time, `limit` at most; resolves to whether
 * there may be more. The hash of the last one stays, because the next is chained to it.
 */
export async function deleteOlder(
  tx: Db,
  { organizationId, before, limit }: { organizationId: string; before: Date; limit: number },
): Promise<boolean> {
  const { last, deletedUpTo } = await lockSequence(tx, organizationId)
  const firstLeft = (await firstSince(tx, organizationId, before)) ?? last + 1
  const end = Math.min(firstLeft - 1, deletedUpTo + limit)
  const event = end > deletedUpTo ? await findBySequence(tx, organizationId, end) : undefined
  if (!event) return false
  await tx.delete(EventEntity, { organizationId, sequence: LessThanOrEqual(end) })
  await tx.update(EventSequenceEntity, { organizationId }, { deletedUpTo: end, deletedHash: event.hash })
  return end < firstLeft - 1
}

/** All organizations that have a record. */
export async function organizations(db: Db): Promise<string[]> {
  const rows = await db.find(EventSequenceEntity, { order: { organizationId: 'ASC' } })
  return rows.map(({ organizationId }) => organizationId)
}
