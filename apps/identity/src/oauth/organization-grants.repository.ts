import { listPage, newestFirst, type Db, type ListPage, type ListRequest } from '@recto/database'
import { grantColumns, grantsAsG, type GrantView } from '../grants/grants.repository.ts'
import { membersWithUsers } from '../members/members.repository.ts'
import { profileColumns } from '../users/users.repository.ts'

/** The grants of an organization's members, newest first, without those of the single sign-on of another one. */
export async function listOrganizationGrants(
  db: Db,
  organization: string,
  request: ListRequest,
): Promise<ListPage<GrantView>> {
  const source = {
    sql: `select ${grantColumns}, ${profileColumns} from ${membersWithUsers} join ${grantsAsG} on g.user_id = u.id
      where m.organization_id = $1 and g.expires_at > now() and (g.sso_organization is null or g.sso_organization = $1)`,
    values: [organization],
    ...newestFirst,
  }
  return listPage<GrantView>(db, source, request)
}
