import type { Role } from '@recto/actor'
import { type Db, listPage, type ListPage, type ListRequest, query } from '@recto/database'
import type { TeamRole } from '../teams/team-member.entity.ts'
import { teamIdsByMember, teamMemberColumns, teamMembersAsP } from '../teams/team-members.repository.ts'
import type { TeamKey } from '../teams/teams.repository.ts'
import { containsPattern } from '../shared/like-pattern.ts'
import { userSearchText } from '../users/users.repository.ts'
import { memberColumns, type MemberView, membersWithUsers } from './members.repository.ts'

/** A member or guest with the ids of their teams. */
export interface MemberWithTeams {
  user: string
  role: Role | null
  teams: string[]
}

/** Lists the members who are not disabled, with their teams; only these user ids if `users` is present. */
export async function listMembersWithTeams(db: Db, organization: string, users?: string[]): Promise<MemberWithTeams[]> {
  return query<MemberWithTeams>(
    db,
    `select m.user_id as "user", m.role, coalesce(t.teams, '{}') as teams from members m
     left join (${teamIdsByMember}) t on t.user_id = m.user_id
     where m.organization_id = $1 and not m.disabled and ($2::text[] is null or m.user_id = any($2))`,
    [organization, users ?? null],
  )
}

/** A member or guest with what lists of members are ordered by. */
export interface ListedMember extends MemberWithTeams {
  name: string
  joinedAt: Date
  lastSeenAt: Date | null
}

/** Lists the members who are not disabled and whose name or e-mail has a text, with their teams. */
export async function searchMembersWithTeams(db: Db, organization: string, search = ''): Promise<ListedMember[]> {
  return query<ListedMember>(
    db,
    `select m.user_id as "user", m.role, coalesce(t.teams, '{}') as teams, m.joined_at as "joinedAt",
       m.last_seen_at as "lastSeenAt", u.display_name as name
     from ${membersWithUsers} left join (${teamIdsByMember}) t on t.user_id = m.user_id
     where m.organization_id = $1 and not m.disabled and ($2 = '' or ${userSearchText} ilike $3)`,
    [organization, search, containsPattern(search)],
  )
}

/** A member with their role in a team. */
export interface TeamMemberView extends MemberView {
  teamRole: TeamRole
  addedAt: Date
}

/** The members of a team, those added last first. */
export async function listTeamMembers(
  db: Db,
  { organization, team }: TeamKey,
  request: ListRequest,
): Promise<ListPage<TeamMemberView>> {
  return listPage<TeamMemberView>(
    db,
    {
      sql: `select ${memberColumns}, ${teamMemberColumns}
      from ${membersWithUsers} join ${teamMembersAsP} on p.organization_id = m.organization_id and p.user_id = m.user_id
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
