import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { ReviewEntity, type ReviewRow } from './review.entity.ts'

const columns = columnsOf(ReviewEntity, 'change_request_reviews')

/** The latest review of each reviewer of a change request. */
export async function latestOf(db: Db, changeRequestId: string): Promise<ReviewRow[]> {
  return query<ReviewRow>(
    db,
    `select distinct on (reviewer) ${columns} from change_request_reviews
     where change_request_id = $1 order by reviewer, created_at desc, id desc`,
    [changeRequestId],
  )
}

/** The review of a change request with this id. */
export async function find(db: Db, changeRequestId: string, id: string): Promise<ReviewRow | undefined> {
  return (await db.findOneBy(ReviewEntity, { id, changeRequestId })) ?? undefined
}

/** Writes a new review. */
export async function insert(db: Db, row: ReviewRow): Promise<void> {
  await db.insert(ReviewEntity, row)
}

/** A filter of reviews: of the current content of the change request, of earlier content, or of both (null). */
export interface ReviewFilter {
  changeRequestId: string
  /** The content of the change request. */
  revision: string
  outdated: boolean | null
}

/** The reviews of a change request, newest first. */
export async function list(
  db: Db,
  { changeRequestId, revision, outdated }: ReviewFilter,
  request: ListRequest,
): Promise<ListPage<ReviewRow>> {
  const sql = `select ${columns} from change_request_reviews
    where change_request_id = $1 and ($3::boolean is null or (revision <> $2) = $3)`
  return listPage<ReviewRow>(db, { sql, values: [changeRequestId, revision, outdated], ...newestFirst }, request)
}
