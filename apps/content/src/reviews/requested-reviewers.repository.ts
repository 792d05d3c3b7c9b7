import { columnsOf, type Db, listPage, type ListPage, type ListRequest } from '@recto/database'
import { Any } from 'typeorm'
import { RequestedReviewerEntity, type RequestedReviewerRow } from './requested-reviewer.entity.ts'

const columns = columnsOf(RequestedReviewerEntity, 'requested_reviewers')

/** The requests for these reviewers of a change request. */
export async function findOf(db: Db, changeRequestId: string, users: string[]): Promise<RequestedReviewerRow[]> {
  if (users.length === 0) return []
  return db.find(RequestedReviewerEntity, { where: { changeRequestId, userId: Any(users) } })
}

/** Writes new requests. */
export async function insert(db: Db, rows: RequestedReviewerRow[]): Promise<void> {
  if (rows.length > 0) await db.insert(RequestedReviewerEntity, rows)
}

/** Deletes the request for a reviewer and returns it, if there is one; the caller holds the lock of the change request. */
export async function take(db: Db, changeRequestId: string, userId: string): Promise<RequestedReviewerRow | undefined> {
  const row = await db.findOneBy(RequestedReviewerEntity, { changeRequestId, userId })
  if (row) await db.delete(RequestedReviewerEntity, { changeRequestId, userId })
  return row ?? undefined
}

/** The requested reviewers of a change request who have not reviewed it yet, newest first. */
export async function list(
  db: Db,
  changeRequestId: string,
  request: ListRequest,
): Promise<ListPage<RequestedReviewerRow>> {
  const source = {
    sql: `select ${columns} from requested_reviewers where change_request_id = $1`,
    values: [changeRequestId],
    order: [
      { column: 'createdAt', type: 'timestamptz' },
      { column: 'userId', type: 'text' },
    ],
    direction: 'desc' as const,
  }
  return listPage<RequestedReviewerRow>(db, source, request)
}
