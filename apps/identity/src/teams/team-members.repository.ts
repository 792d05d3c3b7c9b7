import { columnsOf, type Db, listPage, type ListPage, type ListRequest, query } from '@recto/database'
import type { Role } from '@recto/actor'
import { Any } from 'typeorm'
import { memberColumns, type MemberView, membersWithUsers } from '../members/members.repository.ts'
import { TeamMemberEntity, type TeamRole } from './team-member.entity.ts'
import type { TeamKey } from './teams.repository.ts'

/** A member of a team with their role in it. */
export interface TeamMembership {
  userId: string
  role: TeamRole
}

/** The role of a user in a team; undefined when they are not in it. */
export async function findRole(db: Db, { organization, team }: TeamKey, userId: string): Promise<TeamRole | undefined> {
  const found = await db.findOneBy(TeamMemberEntity, { organizationId: organization, teamId: team, userId })
  return found?.role
}

/** Those of these teams that a user owns. */
export async function findOwnedTeams(db: Db, userId: string, teams: string[]): Promise<Set<string>> {
  const owned = await db.find(TeamMemberEntity, {
    select: { teamId: true },
    where: { userId, role: 'owner', teamId: Any(teams) },
  })
  return new Set(owned.map(({ teamId }) => teamId))
}

/** Those of these organizations in which a user owns a team. */
export async function findOrganizationsWithOwnedTeam(
  db: Db,
  userId: string,
  organizations: string[],
): Promise<Set<string>> {
  const rows = await query<{ organization_id: string }>(
    db,
    `select distinct organization_id from team_members where user_id = $1 and role = 'owner' and organization_id = any($2)`,
    [userId, organizations],
  )
  return new Set(rows.map(row => row.organization_id))
}

/** Everybody in a team. */
export async function listMemberships(db: Db, { organization, team }: TeamKey): Promise<TeamMembership[]> {
  return db.find(TeamMemberEntity, {
    select: { userId: true, role: true },
    where: { organizationId: organization, teamId: team },
  })
}

/** The team ids of each of these members. */
export async function findTeamIds(db: Db, organization: string, userIds: string[]): Promise<Map<string, string[]>> {
  const rows = await query<{ user_id: string; teams: string[] }>(
    db,
    'select user_id, array_agg(team_id) as teams from team_members where organization_id = $1 and user_id = any($2) group by user_id',
    [organization, userIds],
  )
  return new Map(rows.map(row => [row.user_id, row.teams]))
}

/** A member or guest with the ids of their teams. */
export interface MemberWithTeams {
  user: string
  role: Role | null
  teams: string[]
}

/** The members who are not disabled, or those of them with one of these user ids, with their teams. */
export async function listMembersWithTeams(db: Db, organization: string, users?: string[]): Promise<MemberWithTeams[]> {
  return query<MemberWithTeams>(
    db,
    `select m.user_id as "user", m.role, coalesce(t.teams, '{}') as teams from members m
     left join (select user_id, array_agg(team_id) as teams from team_members where organization_id = $1 group by user_id) t on t.user_id = m.user_id
     where m.organization_id = $1 and not m.disabled and ($2::text[] is null or m.user_id = any($2))`,
    [organization, users ?? null],
  )
}

/** Adds members to a team; those who are in it already get the role. */
export async function upsert(db: Db, { organization, team }: TeamKey, memberships: TeamMembership[]): Promise<void> {
  if (memberships.length === 0) return
  const rows = memberships.map(({ userId, role }) => ({
    teamId: team,
    userId,
    organizationId: organization,
    role,
    addedAt: () => 'now()',
  }))
  await db
    .createQueryBuilder()
    .insert()
    .into(TeamMemberEntity)
    .values(rows)
    .orUpdate(['role'], ['team_id', 'user_id'])
    .execute()
}

export async function remove(db: Db, { organization, team }: TeamKey, userIds: string[]): Promise<void> {
  await db.delete(TeamMemberEntity, { organizationId: organization, teamId: team, userId: Any(userIds) })
}

/** A member with their role in a team. */
export interface TeamMemberView extends MemberView {
  teamRole: TeamRole
  addedAt: Date
}

const addedAt = columnsOf(TeamMemberEntity, 'p', ['addedAt'])

/** The members of a team, those added last first. */
export async function list(
  db: Db,
  { organization, team }: TeamKey,
  request: ListRequest,
): Promise<ListPage<TeamMemberView>> {
  return listPage<TeamMemberView>(
    db,
    {
      sql: `select ${memberColumns}, p.role as "teamRole", ${addedAt}
      from ${membersWithUsers} join team_members p on p.organization_id = m.organization_id and p.user_id = m.user_id
      where p.organization_id = $1 and p.team_id = $2`,
      values: [organization, team],
      order: [
        { column: 'addedAt', type: 'timestamptz' },
        { column: 'userId', type: 'text' },
      ],
      direction: 'desc',
    },
    request,
  )
}
