import { columnsOf, type Db, listPage, type ListPage, type ListRequest, query } from '@recto/database'
import { Any, IsNull } from 'typeorm'
import { CommentEntity, type CommentRow } from './comment.entity.ts'

const columns = columnsOf(CommentEntity, 'comments')

/** The place of comments: the main content of a space, or one of its change requests. */
export interface CommentedOn {
  spaceId: string
  /** Null for main content. */
  changeRequestId: string | null
}

const whereOn = ({ spaceId, changeRequestId }: CommentedOn) => ({
  spaceId,
  changeRequestId: changeRequestId ?? IsNull(),
})

/** The same condition as SQL, with values from `$1`; main content has an index of its own. */
function onSql({ spaceId, changeRequestId }: CommentedOn): { where: string; values: string[] } {
  return changeRequestId === null
    ? { where: 'comments.space_id = $1 and comments.change_request_id is null', values: [spaceId] }
    : { where: 'comments.space_id = $1 and comments.change_request_id = $2', values: [spaceId, changeRequestId] }
}

/** Finds a comment of a place by id. */
export async function find(db: Db, on: CommentedOn, id: string): Promise<CommentRow | undefined> {
  return (await db.findOne(CommentEntity, { where: { id, ...whereOn(on) } })) ?? undefined
}

/** Locks a comment until the transaction ends and reads it; the caller must hold the locks of its space and change request. */
export async function lock(db: Db, on: CommentedOn, id: string): Promise<CommentRow | undefined> {
  const where = { id, ...whereOn(on) }
  return (await db.findOne(CommentEntity, { where, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** Lists the comments that were submitted with these reviews. */
export async function listOfReviews(db: Db, reviewIds: string[]): Promise<CommentRow[]> {
  return reviewIds.length === 0 ? [] : db.find(CommentEntity, { where: { reviewId: Any(reviewIds) } })
}

export async function insert(db: Db, row: CommentRow): Promise<void> {
  await db.insert(CommentEntity, row)
}

export async function update(db: Db, id: string, changes: Partial<CommentRow>): Promise<void> {
  await db.update(CommentEntity, { id }, changes)
}

/** Deletes a comment with its replies and reactions. */
export async function remove(db: Db, id: string): Promise<void> {
  await db.delete(CommentEntity, { id })
}

/** Filter and order of a list of comments. */
export interface CommentFilter {
  status: 'all' | CommentRow['status']
  order: 'asc' | 'desc'
  targetPage?: string | undefined
  authors?: string[] | undefined
}

/** Lists the comments of a place, by the time they were posted. */
export async function list(
  db: Db,
  { on, status, order: direction, targetPage, authors }: CommentFilter & { on: CommentedOn },
  request: ListRequest,
): Promise<ListPage<CommentRow>> {
  const { where, values } = onSql(on)
  const all: unknown[] = [...values]
  const conditions = [where]
  if (status !== 'all') conditions.push(`comments.status = $${all.push(status)}`)
  if (targetPage !== undefined) conditions.push(`comments.page_id = $${all.push(targetPage)}`)
  if (authors) conditions.push(`comments.posted_by = any($${all.push(authors)})`)
  const order = [
    { column: 'createdAt', type: 'timestamptz' },
    { column: 'id', type: 'text' },
  ]
  const sql = `select ${columns} from comments where ${conditions.join(' and ')}`
  return listPage<CommentRow>(db, { sql, values: all, order, direction }, request)
}

/** Lists the users who posted comments and replies in a place, with the time of their first post. */
export async function listAuthors(db: Db, on: CommentedOn): Promise<{ userId: string; since: Date }[]> {
  const { where, values } = onSql(on)
  return query<{ userId: string; since: Date }>(
    db,
    `select posted_by as "userId", min(created_at) as since from (
       select posted_by, created_at from comments where ${where}
       union all
       select comment_replies.posted_by, comment_replies.created_at
       from comments join comment_replies on comment_replies.comment_id = comments.id where ${where}
     ) as posted group by posted_by`,
    values,
  )
}
