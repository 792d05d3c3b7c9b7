import { columnsOf, type Db, query } from '@recto/database'
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
