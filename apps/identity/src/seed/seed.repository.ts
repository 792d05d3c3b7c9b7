import { query, type Db } from '@recto/database'
import { Failure } from '@recto/operation'
import { MemberEntity } from '../members/member.entity.ts'
import { OrganizationEntity } from '../organizations/organization.entity.ts'
import { UserEntity } from '../users/user.entity.ts'

/** The first administrator of the platform. */
export async function findFirstAdministrator(db: Db): Promise<string> {
  const first = await db.findOne(UserEntity, { where: { platformAdmin: true }, order: { createdAt: 'ASC', id: 'ASC' } })
  if (!first) throw new Failure('not_found', 'There is no administrator yet: start the platform once to create one')
  return first.id
}

export async function insertOrganization(
  db: Db,
  seed: { organization: string; title: string; administrator: string },
): Promise<void> {
  const { organization, title, administrator } = seed
  await db.insert(OrganizationEntity, {
    id: organization,
    title,
    type: 'business',
    emailDomains: [],
    defaultRole: 'read',
    inviteLinks: true,
    createdAt: () => 'now()',
  })
  await db.insert(MemberEntity, {
    organizationId: organization,
    userId: administrator,
    role: 'admin',
    joinedAt: () => `now() - interval '10 years'`,
  })
}

const names = [
  [
    'Ada',
    'Grace',
    'Alan',
    'Barbara',
    'Edsger',
    'Margaret',
    'Niklaus',
    'Radia',
    'Donald',
    'Frances',
    'Kurt',
    'Emmy',
    'Leslie',
    'Shafi',
    'Tony',
    'Sophie',
    'John',
  ],
  [
    'Lovelace',
    'Hopper',
    'Turing',
    'Liskov',
    'Dijkstra',
    'Hamilton',
    'Wirth',
    'Perlman',
    'Knuth',
    'Allen',
    'Noether',
    'Lamport',
    'Goldwasser',
    'Hoare',
    'Wilson',
    'Backus',
    'Kay',
    'Codd',
    'Gray',
  ],
]

/** Inserts users and makes them members. Their ids start with the organization's, so that seeds do not collide. */
export async function insertMembers(db: Db, organization: string, count: number): Promise<void> {
  await query(
    db,
    `insert into users (id, email, display_name, created_at)
     select $1 || n, 'member-' || n || '@' || lower($1) || '.example', ($3::text[])[1 + n % 17] || ' ' || ($4::text[])[1 + n % 19] || ' ' || n, now()
     from generate_series(1, $2::int) n`,
    [organization, count, ...names],
  )
  await query(
    db,
    `insert into members (organization_id, user_id, role, joined_at, last_seen_at)
     select $1, $1 || n, (array['read', 'comment', 'edit', 'review', 'create', null])[1 + n % 6], now() - make_interval(mins => n),
       case when n % 5 < 3 then now() - make_interval(secs => (n * 7919) % 864000) end
     from generate_series(1, $2::int) n`,
    [organization, count],
  )
}

/** Inserts teams of different sizes; the first member of each is its owner. */
export async function insertTeams(db: Db, organization: string, count: number): Promise<void> {
  await query(
    db,
    `insert into teams (id, organization_id, title, created_at) select $1 || 't' || n, $1, 'Team ' || n, now() - make_interval(mins => n) from generate_series(1, $2::int) n`,
    [organization, count],
  )
  await query(
    db,
    `insert into team_members (team_id, user_id, organization_id, role, added_at)
     select distinct on (n, place) $1 || 't' || n, $1 || place, $1, case when at = 1 then 'owner' else 'member' end, now()
     from (select count(*)::int - 1 as people from members where organization_id = $1) size, generate_series(1, $2::int) n, generate_series(1, n % 100) at,
       lateral (select 1 + (n * 37 + at * 101) % greatest(size.people, 1) as place) spot
     where size.people > 0 order by n, place, at`,
    [organization, count],
  )
}

/** Updates the planner's statistics, which autovacuum does later only: the first lists would be planned for empty tables. */
export async function analyze(db: Db): Promise<void> {
  await query(db, 'analyze users, members, teams, team_members')
}
