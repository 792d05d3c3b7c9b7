import { columnsOf, type Db, listPage, type ListPage, type ListRequest, query } from '@recto/database'
import { Any } from 'typeorm'
import { memberColumns, type MemberView } from './members.repository'
import { TeamMemberEntity, type TeamRole } from './team-member.entity'

interface InTeam {
  organization: string
  team: string
}

/** A member's place in a team. */
export interface Place {
  userId: string
  role: TeamRole
}

/** The role of a user in a team, if they are in it. */
export async function roleOf(db: Db, { organization, team }: InTeam, userId: string): Promise<TeamRole | undefined> {
  const found = await db.findOneBy(TeamMemberEntity, { organizationId: organization, teamId: team, userId })
  return found?.role
}

/** The teams among these that a user owns. */
export async function ownedBy(db: Db, userId: string, teams: string[]): Promise<Set<string>> {
  const owned = await db.find(TeamMemberEntity, {
    select: { teamId: true },
    where: { userId, role: 'owner', teamId: Any(teams) },
  })
  return new Set(owned.map(({ teamId }) => teamId))
}

/** The organizations among these in which a user owns a team. */
export async function organizationsWithOwn(db: Db, userId: string, organizations: string[]): Promise<Set<string>> {
  const rows = await query<{ organization_id: string }>(
    db,
    `select distinct organization_id from team_members where user_id = $1 and role = 'owner' and organization_id = any($2)`,
    [userId, organizations],
  )
  return new Set(rows.map(row => row.organization_id))
}

export async function placesIn(db: Db, { organization, team }: InTeam): Promise<Place[]> {
  return db.find(TeamMemberEntity, {
    select: { userId: true, role: true },
    where: { organizationId: organization, teamId: team },
  })
}

/** Puts members into a team, or gives them the role when they are in it. */
export async function set(db: Db, { organization, team }: InTeam, places: Place[]): Promise<void> {
  if (places.length === 0) return
  const rows = places.map(({ userId, role }) => ({
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

export async function remove(db: Db, { organization, team }: InTeam, userIds: string[]): Promise<void> {
  await db.delete(TeamMemberEntity, { organizationId: organization, teamId: team, userId: Any(userIds) })
}

export interface TeamMemberView extends MemberView {
  teamRole: TeamRole
  addedAt: Date
}

const addedAt = columnsOf(TeamMemberEntity, 'p', ['addedAt'])

export async function listOf(
  db: Db,
  { organization, team }: InTeam,
  request: ListRequest,
): Promise<ListPage<TeamMemberView>> {
  return listPage<TeamMemberView>(
    db,
    {
      sql: `select ${memberColumns}, p.role as "teamRole", ${addedAt}
      from team_members p join members m on m.organization_id = p.organization_id and m.user_id = p.user_id join users u on u.id = p.user_id
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
