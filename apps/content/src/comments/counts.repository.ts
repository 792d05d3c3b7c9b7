import { query, type Db } from '@recto/database'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { commentCounts } from '../change-requests/change-requests.sql.ts'
import { CommentEntity } from './comment.entity.ts'

/** Counts the comments on the main content of spaces. */
export async function countBySpace(db: Db, ids: readonly string[]): Promise<{ id: string; comments: number }[]> {
  return query(
    db,
    `select space.id,
       (select count(*) from comments where space_id = space.id and change_request_id is null)::int as comments
     from unnest($1::text[]) as space (id) order by space.id`,
    [ids],
  )
}

/** A change request with a wrong number of comments, or a comment with a wrong number of replies. */
export interface WrongCount {
  kind: 'change request' | 'comment'
  id: string
  shown: number
  counted: number
}

/** Finds change requests and comments whose stored counts differ from the counted rows. */
export async function findWrongCounts(db: Db): Promise<WrongCount[]> {
  return query<WrongCount>(
    db,
    `select * from (
       select 'change request' as kind, c.id, c.comments as shown,
         (select count(*) from comments x where x.change_request_id = c.id)::int as counted from (${commentCounts}) c
       union all
       select 'comment', c.id, c.replies, (select count(*) from comment_replies x where x.comment_id = c.id)::int from comments c
     ) counts where shown <> counted order by kind, id`,
  )
}

/** Corrects a count, with the row locked against new comments and replies. */
export async function repairCount(db: Db, { kind, id }: Pick<WrongCount, 'kind' | 'id'>): Promise<void> {
  await (kind === 'change request' ? repairChangeRequest(db, id) : repairComment(db, id))
}

async function repairChangeRequest(db: Db, id: string): Promise<void> {
  const changeRequest = await changeRequests.lock(db, id)
  if (!changeRequest) return
  const comments = await db.countBy(CommentEntity, { changeRequestId: id })
  await changeRequests.update(db, id, { comments, updatedAt: changeRequest.updatedAt })
}

async function repairComment(db: Db, id: string): Promise<void> {
  await query(db, 'select 1 from comments where id = $1 for update', [id])
  await query(
    db,
    'update comments set replies = (select count(*) from comment_replies where comment_id = $1) where id = $1',
    [id],
  )
}
