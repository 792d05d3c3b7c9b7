import { columnsOf, type Db, query } from '@recto/database'
import { Any } from 'typeorm'
import { TeamMemberEntity, type TeamRole } from './team-member.entity.ts'
import { isServiceAccountU, usersAsU } from '../users/users.repository.ts'
import type { TeamKey } from './teams.repository.ts'

/** A member of a team with their role in it. */
export interface TeamMembership {
  userId: string
  role: TeamRole
}

/** The memberships `p` in teams. */
export const teamMembersAsP = 'team_members p'

/** The select list of a membership `p`. */
export const teamMemberColumns = `p.role as "teamRole", ${columnsOf(TeamMemberEntity, 'p', ['addedAt'])}`

/** The teams of each member of the organization `$1`. */
export const teamIdsByMember =
  'select user_id, array_agg(team_id) as teams from team_members where organization_id = $1 group by user_id'

/** The number of teams of a member `m`. */
export const teamCountOfM =
  '(select count(*) from team_members t where t.organization_id = m.organization_id and t.user_id = m.user_id)::int'

/** The teams of a member `m` with their titles, oldest first. */
export const groupsOfM = `(select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.title) order by g.created_at, g.id)
  from team_members p join teams g on g.id = p.team_id where p.organization_id = m.organization_id and p.user_id = m.user_id)`

/** The teams of a member `m` in an organization `o`. */
export const teamIdsOfM =
  '(select jsonb_agg(team_id) from team_members where organization_id = o.id and user_id = m.user_id)'

/** The role of a user in a team; undefined when they are not in it. */
export async function findRole(db: Db, { organization, team }: TeamKey, userId: string): Promise<TeamRole | undefined> {
  const row = await db.findOneBy(TeamMemberEntity, { organizationId: organization, teamId: team, userId })
  return row?.role
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

/** The persons in these teams of an organization, with their names as others see them. */
export async function listPersonsInTeams(
  db: Db,
  organization: string,
  teams: string[],
): Promise<{ teamId: string; userId: string; displayName: string }[]> {
  return query(
    db,
    `select p.team_id as "teamId", p.user_id as "userId", u.display_name as "displayName" from ${teamMembersAsP}
     join ${usersAsU} on u.id = p.user_id where p.organization_id = $1 and p.team_id = any($2) and not (${isServiceAccountU})
     order by p.added_at, p.user_id`,
    [organization, teams],
  )
}

/** Those of these users who are in a team. */
export async function findMemberIds(db: Db, { organization, team }: TeamKey, userIds: string[]): Promise<Set<string>> {
  const rows = await db.find(TeamMemberEntity, {
    select: { userId: true },
    where: { organizationId: organization, teamId: team, userId: Any(userIds) },
  })
  return new Set(rows.map(({ userId }) => userId))
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

/** A membership that was written. */
export interface WrittenMembership extends TeamMembership {
  /** Whether the member was not in the team before. */
  isNew: boolean
}

/** Adds members to a team; those who are in it already get the role. Returns what changed. */
export async function upsert(
  db: Db,
  { organization, team }: TeamKey,
  memberships: TeamMembership[],
): Promise<WrittenMembership[]> {
  if (memberships.length === 0) return []
  const rows = memberships.map(({ userId, role }) => ({
    teamId: team,
    userId,
    organizationId: organization,
    role,
    addedAt: () => 'now()',
  }))
  const { raw } = await db
    .createQueryBuilder()
    .insert()
    .into(TeamMemberEntity)
    .values(rows)
    .orUpdate(['role'], ['team_id', 'user_id'], { skipUpdateIfNoValuesChanged: true })
    .returning('user_id as "userId", role, (xmax = 0) as "isNew"')
    .execute()
  return raw as WrittenMembership[]
}

/** Removes users from a team; returns those who were in it. */
export async function remove(db: Db, { organization, team }: TeamKey, userIds: string[]): Promise<string[]> {
  const { raw } = await db
    .createQueryBuilder()
    .delete()
    .from(TeamMemberEntity)
    .where({ organizationId: organization, teamId: team, userId: Any(userIds) })
    .returning('user_id')
    .execute()
  return (raw as { user_id: string }[]).map(({ user_id }) => user_id)
}
