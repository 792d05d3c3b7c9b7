import { query, type Db } from '@recto/database'

/** The counts of change requests and comments that a space shows. */
export interface SpaceCounts {
  id: string
  comments: number
  changeRequests: number
  changeRequestsOpen: number
  changeRequestsDraft: number
}

/** Counts the change requests of spaces, and the comments on their main content. The number of a change request is the count at its creation. */
export async function countOfSpaces(db: Db, ids: readonly string[]): Promise<SpaceCounts[]> {
  return query<SpaceCounts>(
    db,
    `select space.id,
       (select count(*) from comments where space_id = space.id and change_request_id is null)::int as comments,
       (select coalesce(max(number), 0) from change_requests where space_id = space.id)::int as "changeRequests",
       (select count(*) from change_requests where space_id = space.id and status = 'open')::int as "changeRequestsOpen",
       (select count(*) from change_requests where space_id = space.id and status = 'draft')::int as "changeRequestsDraft"
     from unnest($1::text[]) as space (id) order by space.id`,
    [ids],
  )
}

/** A change request that shows a wrong number of comments, or a comment that shows a wrong number of replies. */
export interface WrongCount {
  kind: 'change request' | 'comment'
  id: string
  shown: number
  counted: number
}

/** The change requests and comments whose counts differ from what there is. */
export async function findWrongCounts(db: Db): Promise<WrongCount[]> {
  return query<WrongCount>(
    db,
    `select * from (
       select 'change request' as kind, c.id, c.comments as shown,
         (select count(*) from comments x where x.change_request_id = c.id)::int as counted from change_requests c
       union all
       select 'comment', c.id, c.replies, (select count(*) from comment_replies x where x.comment_id = c.id)::int from comments c
     ) counts where shown <> counted order by kind, id`,
  )
}

/** Counts again, with the row locked against those who comment. */
export async function mendCount(db: Db, { kind, id }: Pick<WrongCount, 'kind' | 'id'>): Promise<void> {
  const [table, statement] =
    kind === 'change request'
      ? ['change_requests', 'comments = (select count(*) from comments where change_request_id = $1)']
      : ['comments', 'replies = (select count(*) from comment_replies where comment_id = $1)']
  await query(db, `select 1 from ${table} where id = $1 for update`, [id])
  await query(db, `update ${table} set ${statement} where id = $1`, [id])
}
