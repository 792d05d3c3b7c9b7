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
  return listPage<EventRow>(db, { ...where(filter), order: newest, direction: 'desc' }, request)
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

function where({ organizationId, from, to, action, actor, target }: EventSearch): { sql: string; values: unknown[] } {
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
  return { sql: `select ${columns} from events where ${conditions.join(' and ')}`, values }
}

/** One event of an organization by its id. */
export async function find(db: Db, organizationId: string, id: string): Promise<EventRow | undefined> {
  return (await db.findOneBy(EventEntity, { organizationId, id })) ?? undefined
}
