import { columnsOf, listPage, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { EventEntity, type EventRow } from './event.entity.ts'

const columns = columnsOf(EventEntity, 'events')

/** Which events of the record are asked for. */
export interface EventSearch {
  organizationId: string
  /** ISO 8601 date-times. */
  from?: string | undefined
  to?: string | undefined
  action?: string | undefined
  /** The id of a user, or `system`. */
  actor?: string | undefined
  /** An id of what was changed, or of the organization. */
  target?: string | undefined
}

/** The events of an organization, the newest first. */
export async function list(db: Db, filter: EventSearch, request: ListRequest): Promise<ListPage<EventRow>> {
  const source = where(filter, isWhole(filter) ? `${columns}, ${size} as "listCount"` : columns)
  return listPage<EventRow>(db, { ...source, countsItself: isWhole(filter), order: newest, direction: 'desc' }, request)
}

/** How many events of an organization there are, without counting them: sequences have no gaps. */
const size = '(select last - deleted_up_to from event_sequences where organization_id = $1)'

function isWhole({ organizationId: _organization, ...conditions }: EventSearch): boolean {
  return Object.values(conditions).every(value => value === undefined)
}

const newest = [
  { column: 'occurredAt', type: 'timestamptz' },
  { column: 'sequence', type: 'int' },
]

/** The events behind a sequence, the oldest first. */
export async function listFrom(
  db: Db,
  filter: EventSearch,
  { after, limit }: { after: number; limit: number },
): Promise<EventRow[]> {
  const { sql, values } = where(filter)
  const place = values.length + 1
  return query<EventRow>(db, `${sql} and sequence > $${place} order by sequence limit $${place + 1}`, [
    ...values,
    after,
    limit,
  ])
}

function where(
  { organizationId, from, to, action, actor, target }: EventSearch,
  selected = columns,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [organizationId]
  const conditions = ['organization_id = $1']
  const add = (condition: (at: string) => string, value: unknown): void => {
    conditions.push(condition(`$${values.push(value)}`))
  }
  // As dates, because Postgres reads neither the year 0 nor offsets of more than 16 hours.
  if (from) add(at => `occurred_at >= ${at}`, new Date(from))
  if (to) add(at => `occurred_at <= ${at}`, new Date(to))
  if (action !== undefined) add(at => `type = ${at}`, action)
  if (actor === 'system') conditions.push('actor_id is null')
  else if (actor !== undefined) add(at => `actor_id = ${at}`, actor)
  if (target === organizationId) conditions.push(`cardinality(subject_ids) = 0`)
  else if (target !== undefined) add(at => `subject_ids @> array[${at}::text]`, target)
  return { sql: `select ${selected} from events where ${conditions.join(' and ')}`, values }
}

/** An event of a type about a resource, before a sequence. */
export interface EarlierEvent {
  sequence: number
  type: string
  /** An id of its subject. */
  id: string
}

/** The ids of the newest events before others, by the sequences of those; one that is not in the record is left out. */
export async function findEarlier(
  db: Db,
  organizationId: string,
  searches: readonly EarlierEvent[],
): Promise<Map<number, string>> {
  if (searches.length === 0) return new Map()
  const rows = await query<{ sequence: number; id: string }>(
    db,
    `select distinct on (later.sequence) later.sequence, events.id
     from unnest($2::int[], $3::text[], $4::text[]) as later (sequence, type, subject)
     join events on organization_id = $1 and events.type = later.type and subject_ids @> array[later.subject]
       and events.sequence < later.sequence
     order by later.sequence, events.sequence desc`,
    [
      organizationId,
      searches.map(({ sequence }) => sequence),
      searches.map(({ type }) => type),
      searches.map(({ id }) => id),
    ],
  )
  return new Map(rows.map(({ sequence, id }) => [sequence, id]))
}

/** One event of an organization by its id. */
export async function find(db: Db, organizationId: string, id: string): Promise<EventRow | undefined> {
  return (await db.findOneBy(EventEntity, { organizationId, id })) ?? undefined
}
