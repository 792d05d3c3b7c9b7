import { listPage, newestFirst, query, type Db, type ListPage, type PageRequest } from '@recto/database'
import { Failure } from '@recto/operation'
import { MemberEntity, OrganizationEntity, type MemberRow, type OrganizationRow } from './organization.entity.ts'

const columns = `o.id, o.title, o.type, o.use_case as "useCase", o.email_domains as "emailDomains",
  o.default_role as "defaultRole", o.invite_links as "inviteLinks", o.created_at as "createdAt"`

export async function get(db: Db, id: string): Promise<OrganizationRow> {
  const organization = await db.findOneBy(OrganizationEntity, { id })
  if (!organization) throw new Failure('not_found', 'There is no such organization')
  return organization
}

export async function listOf(db: Db, userId: string, request: PageRequest & { secret: string }): Promise<ListPage<OrganizationRow>> {
  const source = {
    name: 'organizations',
    sql: `select ${columns} from organizations o join members m on m.organization_id = o.id where m.user_id = $1 and not m.disabled`,
    values: [userId],
    ...newestFirst,
  }
  return listPage<OrganizationRow>(db, source, request)
}

export async function insert(db: Db, organization: OrganizationRow, member: MemberRow): Promise<void> {
  await db.insert(OrganizationEntity, organization)
  await db.insert(MemberEntity, member)
}

export async function organizationsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await query<{ organization_id: string }>(db, `select organization_id from members where user_id = $1`, [userId])
  return rows.map(row => row.organization_id)
}
