import { columnsOf, type Db, listPage, type ListPage, type ListRequest, query } from '@recto/database'
import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { Any } from 'typeorm'
import { OrganizationEntity } from '../organizations/organization.entity.ts'
import { UserEntity } from '../users/user.entity.ts'
import { MemberEntity } from './member.entity.ts'

/** A member with what replies show of their user. */
export interface MemberView {
  organizationId: string
  userId: string
  role: Role | null
  disabled: boolean
  joinedAt: Date
  lastSeenAt: Date | null
  sso: boolean
  teams: number
  email: string
  displayName: string
  photoUrl: string | null
}

/** Columns of a member `m` and their user `u`, for lists of other features too. */
export const memberColumns = `${columnsOf(MemberEntity, 'm')}, ${columnsOf(UserEntity, 'u', ['email', 'displayName', 'photoUrl'])},
  (select count(*) from team_members t where t.organization_id = m.organization_id and t.user_id = m.user_id)::int as teams`

const from = 'from members m join users u on u.id = m.user_id'

interface Who {
  organization: string
  userId: string
}

export async function find(db: Db, { organization, userId }: Who): Promise<MemberView | undefined> {
  const [member] = await query<MemberView>(
    db,
    `select ${memberColumns} ${from} where m.organization_id = $1 and m.user_id = $2`,
    [organization, userId],
  )
  return member
}

export async function get(db: Db, who: Who): Promise<MemberView> {
  const member = await find(db, who)
  if (!member) throw new Failure('not_found', 'There is no such member')
  return member
}

/** What a list of members is narrowed to, and how it runs. */
export interface MemberFilter {
  organization: string
  role?: Role | 'guest' | undefined
  search?: string | undefined
  sort: 'joinedAt' | 'lastSeenAt'
  order: 'asc' | 'desc'
}

export async function listOf(db: Db, filter: MemberFilter, request: ListRequest): Promise<ListPage<MemberView>> {
  const values: unknown[] = [filter.organization]
  const where = ['m.organization_id = $1']
  if (filter.role === 'guest') where.push('m.role is null')
  else if (filter.role) where.push(`m.role = $${values.push(filter.role)}`)
  if (filter.sort === 'lastSeenAt') where.push('m.last_seen_at is not null and not m.disabled')
  if (filter.search) {
    // The expression of the index: one look into it costs a fifth of asking for each column.
    where.push(`(u.display_name || E'\\n' || u.email) ilike $${values.push(containing(filter.search))}`)
  }
  return listPage<MemberView>(
    db,
    {
      sql: `select ${memberColumns} ${from} where ${where.join(' and ')}`,
      // Every member has a user: only a search needs to look at them.
      ...(!filter.search && { counted: `select from members m where ${where.join(' and ')}` }),
      values,
      order: [
        { column: filter.sort, type: 'timestamptz' },
        { column: 'userId', type: 'text' },
      ],
      direction: filter.order,
    },
    request,
  )
}

/** The pattern of `ilike` for text that contains this, taken literally. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** Makes everybody wait who changes the people of these organizations, until the transaction ends. */
export async function lockPeople(db: Db, organizations: string[]): Promise<void> {
  await db.find(OrganizationEntity, {
    select: { id: true },
    where: { id: Any(organizations) },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  })
}

export async function countAdmins(db: Db, organization: string): Promise<number> {
  return db.countBy(MemberEntity, { organizationId: organization, role: 'admin', disabled: false })
}

export async function setRole(db: Db, { organization, userId }: Who, role: Role | null): Promise<void> {
  await db.update(MemberEntity, { organizationId: organization, userId }, { role })
}

export async function markSso(db: Db, { organization, userId }: Who): Promise<boolean> {
  const { affected } = await db.update(MemberEntity, { organizationId: organization, userId }, { sso: true })
  return affected === 1
}

export async function touch(db: Db, { organization, userId }: Who): Promise<void> {
  await db.update(MemberEntity, { organizationId: organization, userId }, { lastSeenAt: () => 'now()' })
}

/** Adds users as members; who is one already stays as they are. Returns who was added. */
export async function insertMissing(
  db: Db,
  organization: string,
  added: { userId: string; role: Role | null; sso: boolean }[],
): Promise<Set<string>> {
  if (added.length === 0) return new Set()
  const rows = added.map(({ userId, role, sso }) => ({
    organizationId: organization,
    userId,
    role,
    sso,
    disabled: false,
    joinedAt: () => 'now()',
  }))
  const { raw } = await db
    .createQueryBuilder()
    .insert()
    .into(MemberEntity)
    .values(rows)
    .orIgnore()
    .returning('user_id')
    .execute()
  return new Set((raw as { user_id: string }[]).map(row => row.user_id))
}

export async function remove(db: Db, { organization, userId }: Who): Promise<boolean> {
  const { affected } = await db.delete(MemberEntity, { organizationId: organization, userId })
  return affected === 1
}

/** Which of these users are members. */
export async function among(db: Db, organization: string, userIds: string[]): Promise<Set<string>> {
  const members = await db.find(MemberEntity, {
    select: { userId: true },
    where: { organizationId: organization, userId: Any(userIds) },
  })
  return new Set(members.map(({ userId }) => userId))
}

/** The members among these user ids and e-mails. */
export async function named(
  db: Db,
  organization: string,
  identifiers: string[],
): Promise<{ members: Set<string>; byEmail: Map<string, string> }> {
  const rows = await query<{ userId: string; email: string }>(
    db,
    `select m.user_id as "userId", lower(u.email) as email from members m join users u on u.id = m.user_id
     where m.organization_id = $1 and (m.user_id = any($2) or lower(u.email) = any($3))`,
    [organization, identifiers, identifiers.map(identifier => identifier.toLowerCase())],
  )
  return {
    members: new Set(rows.map(({ userId }) => userId)),
    byEmail: new Map(rows.map(({ userId, email }) => [email, userId])),
  }
}

/** The teams of each of these members. */
export async function teamsOf(db: Db, organization: string, userIds: string[]): Promise<Map<string, string[]>> {
  const rows = await query<{ user_id: string; teams: string[] }>(
    db,
    'select user_id, array_agg(team_id) as teams from team_members where organization_id = $1 and user_id = any($2) group by user_id',
    [organization, userIds],
  )
  return new Map(rows.map(row => [row.user_id, row.teams]))
}
