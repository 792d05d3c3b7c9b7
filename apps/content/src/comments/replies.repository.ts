import { columnsOf, type Db, listPage, type ListPage, type ListRequest, query } from '@recto/database'
import { ReplyEntity, type ReplyRow } from './reply.entity.ts'

const columns = columnsOf(ReplyEntity, 'comment_replies')

/** Finds a reply to a comment by id. */
export async function find(db: Db, commentId: string, id: string): Promise<ReplyRow | undefined> {
  return (await db.findOneBy(ReplyEntity, { id, commentId })) ?? undefined
}

export async function insert(db: Db, row: ReplyRow): Promise<void> {
  await db.insert(ReplyEntity, row)
}

export async function update(db: Db, id: string, changes: Partial<ReplyRow>): Promise<void> {
  await db.update(ReplyEntity, { id }, changes)
}

/** Deletes a reply with its reactions. */
export async function remove(db: Db, id: string): Promise<void> {
  await db.delete(ReplyEntity, { id })
}

/** A user who replied to a comment. */
export interface Replier {
  commentId: string
  userId: string
  count: number
  updatedAt: Date
}

/** Lists who replied to comments, the latest first. */
export async function listRepliers(db: Db, comments: string[]): Promise<Replier[]> {
  if (comments.length === 0) return []
  return query<Replier>(
    db,
    `select comment_id as "commentId", posted_by as "userId", count(*)::int as count, max(created_at) as "updatedAt"
     from comment_replies where comment_id = any($1) group by comment_id, posted_by
     order by max(created_at) desc, posted_by`,
    [comments],
  )
}

/** Lists the replies to a comment, oldest first. */
export async function list(db: Db, commentId: string, request: ListRequest): Promise<ListPage<ReplyRow>> {
  const source = {
    sql: `select ${columns} from comment_replies where comment_id = $1`,
    values: [commentId],
    order: [
      { column: 'createdAt', type: 'timestamptz' },
      { column: 'id', type: 'text' },
    ],
    direction: 'asc' as const,
  }
  return listPage<ReplyRow>(db, source, request)
}

/** Replies of one list that are read with their comments. */
const maxListed = 2_000
/** Replies of one comment that are read with it. */
const maxOfComment = 50

/** The first replies to each of some comments, oldest first. */
export async function listFirst(db: Db, comments: readonly string[]): Promise<ReplyRow[]> {
  if (comments.length === 0) return []
  return query<ReplyRow>(
    db,
    `select ${columns} from comment_replies join (
       select id as listed, row_number() over (partition by comment_id order by created_at, id) as place
       from comment_replies where comment_id = any($1)
     ) as places on places.listed = comment_replies.id
     where place <= $2 order by created_at, id limit $3`,
    [[...comments], maxOfComment, maxListed],
  )
}
