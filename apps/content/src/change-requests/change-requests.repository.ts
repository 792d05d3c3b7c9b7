import { columnsOf, type Db, listPage, type ListPage, type ListRequest, prepared } from '@recto/database'
import type { Role } from '@recto/actor'
import { Any } from 'typeorm'
import type { Viewer } from '../access/access.policy.ts'
import { callerValues } from '../access/roles.sql.ts'
import { isShownBySiteSql } from '../sites/site-spaces.sql.ts'
import { readableSpacesCte } from '../resources/readable-spaces.sql.ts'
import { ChangeRequestEntity, type ChangeRequestRow } from './change-request.entity.ts'

const columns = columnsOf(ChangeRequestEntity, 'change_requests')

const byIdOrNumber = prepared<ChangeRequestRow>(
  'change-request',
  `select ${columns} from change_requests where space_id = $1 and (id = $2 or number = $3)`,
)
/** Matches numbers that fit into a column of type `int`. */
const isNumber = /^[1-9]\d{0,8}$/

/** Finds a change request of a space by its id or number. */
export async function find(db: Db, spaceId: string, idOrNumber: string): Promise<ChangeRequestRow | undefined> {
  const number = isNumber.test(idOrNumber) ? Number(idOrNumber) : null
  const [row] = await byIdOrNumber(db, [spaceId, idOrNumber, number])
  return row
}

/** Finds the change requests of these ids that exist. */
export async function findByIds(db: Db, ids: string[]): Promise<ChangeRequestRow[]> {
  return ids.length === 0 ? [] : db.find(ChangeRequestEntity, { where: { id: Any(ids) } })
}

/** Locks a change request until the transaction ends and reads it. */
export async function lock(db: Db, id: string): Promise<ChangeRequestRow | undefined> {
  const row = await db.findOne(ChangeRequestEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
  return row ?? undefined
}

export async function insert(db: Db, row: ChangeRequestRow): Promise<void> {
  await db.insert(ChangeRequestEntity, row)
}

/** Updates a change request, and its time of update unless `changes` has one. */
export async function update(db: Db, id: string, changes: Partial<ChangeRequestRow>): Promise<void> {
  await db.update(ChangeRequestEntity, { id }, { updatedAt: new Date(), ...changes })
}

/** Filter of a list of change requests. */
export interface ChangeRequestFilter {
  status: ChangeRequestRow['status']
  creator?: string | undefined
  contributor?: string | undefined
  requestedReviewer?: string | undefined
  /** SQL of the condition on the requested reviewer: the room of reviews has the table. */
  isReviewRequestedSql(of: { changeRequest: string; user: string }): string
  orderBy: 'updatedAt' | 'createdAt'
  /** Nothing is linked to a topic or a check of a style guide, since there are none. */
  topic?: string | undefined
  styleguideRun?: string | undefined
}

/** SQL that filters `change_requests` by `filterValues`, the first of them at `$n`. */
function filterSql(n: number, { isReviewRequestedSql, topic, styleguideRun }: ChangeRequestFilter): string {
  const isNone = topic !== undefined || styleguideRun !== undefined
  return `${isNone ? 'false and ' : ''}change_requests.status = $${n} and ($${n + 1}::text is null or change_requests.created_by = $${n + 1})
    and ($${n + 2}::text is null or exists (select from change_request_contributors made
      where made.change_request_id = change_requests.id and made.user_id = $${n + 2})) and ${isReviewRequestedSql({ changeRequest: 'change_requests.id', user: `$${n + 3}` })}`
}

const filterValues = ({ status, creator, contributor, requestedReviewer }: ChangeRequestFilter) => [
  status,
  creator ?? null,
  contributor ?? null,
  requestedReviewer ?? null,
]

/** The latest first, by the time that a filter names. */
const latestFirst = ({ orderBy }: ChangeRequestFilter) => ({
  order: [
    { column: orderBy, type: 'timestamptz' },
    { column: 'id', type: 'text' },
  ],
  direction: 'desc' as const,
})

/** Lists the change requests of a space. */
export async function listOfSpace(
  db: Db,
  { spaceId, ...filter }: ChangeRequestFilter & { spaceId: string },
  request: ListRequest,
): Promise<ListPage<ChangeRequestRow>> {
  const sql = `select ${columns} from change_requests where space_id = $1 and ${filterSql(2, filter)}`
  const values = [spaceId, ...filterValues(filter)]
  return listPage<ChangeRequestRow>(db, { sql, values, ...latestFirst(filter) }, request)
}

/** A change request with the main revision of its space, and the viewer's role there. */
export type ChangeRequestListItem = ChangeRequestRow & { mainRevision: string; role: Role }

interface OrganizationFilter {
  viewer: Viewer
  space?: string | undefined
  site?: string | undefined
}

/** Lists the change requests of all spaces of an organization that the viewer can read, or of one of these. */
export async function listOfOrganization(
  db: Db,
  { viewer, space, site, ...filter }: ChangeRequestFilter & OrganizationFilter,
  request: ListRequest,
): Promise<ListPage<ChangeRequestListItem>> {
  const callers = callerValues(viewer)
  const values = [...callers, space ?? null, site ?? null, ...filterValues(filter)]
  const ofSpace = `$${callers.length + 1}`
  const ofSite = `$${callers.length + 2}`
  const sql = `with recursive ${readableSpacesCte()}
    select ${columns}, readable_space.revision as "mainRevision", readable_space.role
    from change_requests join readable_space on readable_space.id = change_requests.space_id
    where (${ofSpace}::text is null or change_requests.space_id = ${ofSpace}) 
      and ${isShownBySiteSql({ space: 'change_requests.space_id', site: ofSite })} and ${filterSql(callers.length + 3, filter)}`
  return listPage<ChangeRequestListItem>(db, { sql, values, ...latestFirst(filter) }, request)
}
