import { columnsOf, type Db, listPage, type ListPage, type ListRequest } from '@recto/database'
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
