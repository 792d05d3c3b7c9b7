import { columnsOf, query, type Db } from '@recto/database'
import type { Role } from '@recto/actor'
import { UserEntity, type UserRow } from '../users/user.entity'

/** A member or guest, and the teams they are in. */
export interface MembershipRow {
  user: string
  role: Role | null
  teams: string[]
}

const shown = columnsOf(UserEntity, 'u', ['id', 'email', 'displayName', 'photoUrl'])

/** The users among these who belong to the organization. */
export async function usersAmong(
  db: Db,
  organization: string,
  ids: string[],
): Promise<Pick<UserRow, 'id' | 'email' | 'displayName' | 'photoUrl'>[]> {
  return query(
    db,
    `select ${shown} from members m join users u on u.id = m.user_id where m.organization_id = $1 and m.user_id = any($2)`,
    [organization, ids],
  )
}

/** Who can do something in an organization: disabled members cannot. All of them, or those among these users. */
export async function memberships(db: Db, organization: string, users?: string[]): Promise<MembershipRow[]> {
  return query<MembershipRow>(
    db,
    `select m.user_id as "user", m.role, coalesce(t.teams, '{}') as teams from members m
     left join (select user_id, array_agg(team_id) as teams from team_members where organization_id = $1 group by user_id) t on t.user_id = m.user_id
     where m.organization_id = $1 and not m.disabled and ($2::text[] is null or m.user_id = any($2))`,
    [organization, users ?? null],
  )
}
