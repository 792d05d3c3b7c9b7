import { query, type Db } from '@recto/database'

/** The counted change requests of a space. */
export interface ChangeRequestCounts {
  id: string
  changeRequests: number
  changeRequestsOpen: number
  changeRequestsDraft: number
}

/** Counts the change requests of spaces. The number of a change request is the count at its creation. */
export async function countBySpace(db: Db, ids: readonly string[]): Promise<ChangeRequestCounts[]> {
  return query<ChangeRequestCounts>(
    db,
    `select space.id,
       (select coalesce(max(number), 0) from change_requests where space_id = space.id)::int as "changeRequests",
       (select count(*) from change_requests where space_id = space.id and status = 'open')::int as "changeRequestsOpen",
       (select count(*) from change_requests where space_id = space.id and status = 'draft')::int as "changeRequestsDraft"
     from unnest($1::text[]) as space (id) order by space.id`,
    [ids],
  )
}
