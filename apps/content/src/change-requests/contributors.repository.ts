import { columnsOf, type Db, listPage, type ListPage, type ListRequest, query } from '@recto/database'
import { ContributorEntity, type ContributorRow } from './contributor.entity.ts'

const columns = columnsOf(ContributorEntity, 'change_request_contributors')

/** Counts an edit or a comment of a user as a contribution to a change request. */
export async function countContribution(
  db: Db,
  { changeRequestId, userId, actionType }: Pick<ContributorRow, 'changeRequestId' | 'userId' | 'actionType'>,
): Promise<void> {
  await query(
    db,
    `insert into change_request_contributors (change_request_id, user_id, action_type, count, updated_at)
     values ($1, $2, $3, 1, now())
     on conflict (change_request_id, user_id, action_type)
     do update set count = change_request_contributors.count + 1, updated_at = excluded.updated_at`,
    [changeRequestId, userId, actionType],
  )
}

/** Lists contributors to a change request by kinds of actions, the latest contribution first. */
export async function listOf(
  db: Db,
  { changeRequestId, actions }: { changeRequestId: string; actions: ContributorRow['actionType'][] },
  request: ListRequest,
): Promise<ListPage<ContributorRow>> {
  const source = {
    sql: `select ${columns} from change_request_contributors where change_request_id = $1 and action_type = any($2)`,
    values: [changeRequestId, actions],
    order: [
      { column: 'updatedAt', type: 'timestamptz' },
      { column: 'userId', type: 'text' },
      { column: 'actionType', type: 'text' },
    ],
    direction: 'desc' as const,
  }
  return listPage<ContributorRow>(db, source, request)
}
