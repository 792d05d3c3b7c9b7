import { columnsOf, type Db, listPage, type ListPage, type ListRequest, query } from '@recto/database'
import type { Role } from '@recto/actor'
import { Any } from 'typeorm'
import { Failure } from '@recto/operation'
import { containsPattern } from '../shared/like-pattern.ts'
import { teamCountOfM } from '../teams/team-members.repository.ts'
import {
  isServiceAccountU,
  profileColumns,
  type UserProfile,
  userSearchText,
  usersAsU,
} from '../users/users.repository.ts'
import { MemberEntity, type MemberRow } from './member.entity.ts'

/** A member with what replies show of their user. */
export interface MemberView {
  organizationId: string
  userId: string
  role: Role | null
  disabled: boolean
  joinedAt: Date
  lastSeenAt: Date | null
  sso: boolean
  isServiceAccount: boolean
  teams: number
  email: string
  displayName: string
  photoUrl: string | null
}

/** A member of an organization; a role of null is a guest's. */
export interface MemberKey {
  organization: string
  userId: string
}

/** The select list of a member `m` and their user `u`. */
export const memberColumns = `${columnsOf(MemberEntity, 'm')}, ${profileColumns},
  ${isServiceAccountU} as "isServiceAccount", ${teamCountOfM} as teams`

/** The table under its alias `m`, for the SQL of other rooms. */
export const membersAsM = 'members m'

/** The tables of `memberColumns`. */
export const membersWithUsers = `members m join ${usersAsU} on u.id = m.user_id`

export async function find(db: Db, { organization, userId }: MemberKey): Promise<MemberView | undefined> {
  const [member] = await query<MemberView>(
    db,
    `select ${memberColumns} from ${membersWithUsers} where m.organization_id = $1 and m.user_id = $2`,
    [organization, userId],
  )
  return member
}

/** Those of the users who are members or guests. */
export async function findByUserIds(db: Db, organization: string, userIds: string[]): Promise<MemberView[]> {
  return query<MemberView>(
    db,
    `select ${memberColumns} from ${membersWithUsers} where m.organization_id = $1 and m.user_id = any($2)`,
    [organization, userIds],
  )
}

/** Throws `not_found`. */
export async function get(db: Db, key: MemberKey): Promise<MemberView> {
  const member = await find(db, key)
  if (!member) throw new Failure('not_found', 'There is no such member')
  return member
}

const byName = { column: 'displayName', type: 'text' } as const

/** Filter and order of a list of members. */
export interface MemberFilter {
  organization: string
  role?: Role | 'guest' | undefined
  search?: string | undefined
  sort: 'joinedAt' | 'lastSeenAt' | 'name'
  order: 'asc' | 'desc'
}

export async function list(db: Db, filter: MemberFilter, request: ListRequest): Promise<ListPage<MemberView>> {
  const values: unknown[] = [filter.organization]
  const where = ['m.organization_id = $1']
  if (filter.role === 'guest') where.push('m.role is null')
  else if (filter.role) where.push(`m.role = $${values.push(filter.role)}`)
  if (filter.sort === 'lastSeenAt') where.push('m.last_seen_at is not null and not m.disabled')
  // The expression of a trigram index: one scan of it costs a fifth of one condition per column.
  if (filter.search) where.push(`${userSearchText} ilike $${values.push(containsPattern(filter.search))}`)
  return listPage<MemberView>(
    db,
    {
      sql: `select ${memberColumns} from ${membersWithUsers} where ${where.join(' and ')}`,
      // Every member has a user, so only a search has to join the users to count.
      ...(!filter.search && { counted: `select from members m where ${where.join(' and ')}` }),
      values,
      order: [
        filter.sort === 'name' ? byName : { column: filter.sort, type: 'timestamptz' },
        { column: 'userId', type: 'text' },
      ],
      direction: filter.order,
    },
    request,
  )
}

/** Counts the admins who are persons and not disabled. */
export async function countAdmins(db: Db, organization: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    db,
    `select count(*)::int as count from ${membersWithUsers}
     where m.organization_id = $1 and m.role = 'admin' and not m.disabled and not (${isServiceAccountU})`,
    [organization],
  )
  return row?.count ?? 0
}

export async function setRole(db: Db, { organization, userId }: MemberKey, role: Role | null): Promise<void> {
  await db.update(MemberEntity, { organizationId: organization, userId }, { role })
}

/** Disables a member, or enables them again. */
export async function setDisabled(db: Db, { organization, userId }: MemberKey, disabled: boolean): Promise<void> {
  await db.update(MemberEntity, { organizationId: organization, userId }, { disabled })
}

/** Lets a member sign in by single sign-on; false when they do already, or there is no such member. */
export async function setSso(db: Db, { organization, userId }: MemberKey): Promise<boolean> {
  const { affected } = await db.update(
    MemberEntity,
    { organizationId: organization, userId, sso: false },
    { sso: true },
  )
  return affected === 1
}

/** Sets when a member was last seen to now. */
export async function setLastSeen(db: Db, { organization, userId }: MemberKey): Promise<void> {
  await db.update(MemberEntity, { organizationId: organization, userId }, { lastSeenAt: () => 'now()' })
}

export async function insert(db: Db, member: MemberRow): Promise<void> {
  await db.insert(MemberEntity, member)
}

/** Adds users as members and keeps existing members unchanged. Returns the ids of the added ones. */
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

/** Removes a member; false when there is no such member. */
export async function remove(db: Db, { organization, userId }: MemberKey): Promise<boolean> {
  const { affected } = await db.delete(MemberEntity, { organizationId: organization, userId })
  return affected === 1
}

/** The ids of the organizations that a user belongs to. */
export async function findOrganizationIds(db: Db, userId: string): Promise<string[]> {
  const memberships = await db.find(MemberEntity, { select: { organizationId: true }, where: { userId } })
  return memberships.map(({ organizationId }) => organizationId)
}

/** Those of these user ids that are members. */
export async function findMemberIds(db: Db, organization: string, userIds: string[]): Promise<Set<string>> {
  const members = await db.find(MemberEntity, {
    select: { userId: true },
    where: { organizationId: organization, userId: Any(userIds) },
  })
  return new Set(members.map(({ userId }) => userId))
}

/** The members with one of these identifiers, which are user ids or emails in any case. */
export async function findByIdOrEmail(
  db: Db,
  organization: string,
  identifiers: string[],
): Promise<{ members: Set<string>; byEmail: Map<string, string> }> {
  const rows = await query<{ userId: string; email: string }>(
    db,
    `select m.user_id as "userId", lower(u.email) as email from ${membersWithUsers}
     where m.organization_id = $1 and (m.user_id = any($2) or lower(u.email) = any($3))`,
    [organization, identifiers, identifiers.map(identifier => identifier.toLowerCase())],
  )
  return {
    members: new Set(rows.map(({ userId }) => userId)),
    byEmail: new Map(rows.map(({ userId, email }) => [email, userId])),
  }
}

/** The profiles of the members with these user ids. */
export async function findProfiles(db: Db, organization: string, userIds: string[]): Promise<UserProfile[]> {
  return query(
    db,
    `select m.user_id as id, ${profileColumns} from ${membersWithUsers} where m.organization_id = $1 and m.user_id = any($2)`,
    [organization, userIds],
  )
}

/**
 * Those of these emails, in lower case, whose users must not be made SSO members by an invite: platform administrators and
 * members of other organizations, whose accounts the identity provider of this one must not control. An email that only the single
 * sign-on of another organization asserted is nobody's. Existing members of this
 * organization are not listed, since an invite does not change them.
 */
export async function findSsoIneligibleEmails(db: Db, organization: string, emails: string[]): Promise<Set<string>> {
  const rows = await query<{ email: string }>(
    db,
    `select lower(u.email) as email from ${usersAsU}
     where lower(u.email) = any($2) and (u.email_asserted_by is null or u.email_asserted_by = $1)
       and (u.platform_admin or exists (select from members m where m.user_id = u.id))
       and not exists (select from members m where m.user_id = u.id and m.organization_id = $1)`,
    [organization, emails],
  )
  return new Set(rows.map(({ email }) => email))
}
