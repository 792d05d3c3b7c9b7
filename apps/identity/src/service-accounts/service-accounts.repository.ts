import { listPage, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import { Failure } from '@recto/operation'
import { memberColumns, membersWithUsers, type MemberView } from '../members/members.repository.ts'
import { isServiceAccountU } from '../users/users.repository.ts'

/** A service account of an organization. */
export interface ServiceAccountKey {
  organization: string
  id: string
}

const accounts = `select ${memberColumns} from ${membersWithUsers} where m.organization_id = $1 and ${isServiceAccountU}`

/** The service accounts of an organization, the newest first. */
export async function list(db: Db, organization: string, request: ListRequest): Promise<ListPage<MemberView>> {
  const order = [
    { column: 'joinedAt', type: 'timestamptz' },
    { column: 'userId', type: 'text' },
  ] as const
  return listPage<MemberView>(
    db,
    { sql: accounts, values: [organization], order: [...order], direction: 'desc' },
    request,
  )
}

/** A service account; undefined when the organization has none with this id. */
export async function find(db: Db, { organization, id }: ServiceAccountKey): Promise<MemberView | undefined> {
  const [account] = await query<MemberView>(db, `${accounts} and m.user_id = $2`, [organization, id])
  return account
}

/** A service account; throws `not_found`. */
export async function get(db: Db, key: ServiceAccountKey): Promise<MemberView> {
  const account = await find(db, key)
  if (!account) throw new Failure('not_found', 'There is no such service account')
  return account
}
