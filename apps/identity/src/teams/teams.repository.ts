import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { Failure } from '@recto/operation'
import { Not } from 'typeorm'
import { containsPattern } from '../shared/like-pattern.ts'
import { TeamMemberEntity, type TeamRole } from './team-member.entity.ts'
import { TeamEntity, type TeamRow } from './team.entity.ts'

/** A team with the number of its members. */
export interface TeamView extends TeamRow {
  members: number
}

/** The table under its alias `t`, for joins in the SQL of other rooms. */
export const teamsAsT = 'teams t'

const columns = `${columnsOf(TeamEntity, 't')}, (select count(*) from team_members c where c.team_id = t.id)::int as members`

/** A team of an organization. */
export interface TeamKey {
  organization: string
  team: string
}

export async function find(db: Db, { organization, team }: TeamKey): Promise<TeamView | undefined> {
  const [teamView] = await query<TeamView>(
    db,
    `select ${columns} from teams t where t.organization_id = $1 and t.id = $2`,
    [organization, team],
  )
  return teamView
}

/** Throws `not_found`. */
export async function get(db: Db, key: TeamKey): Promise<TeamView> {
  const team = await find(db, key)
  if (!team) throw new Failure('not_found', 'There is no such team')
  return team
}

/** The teams with these ids, in no particular order. */
export async function findByIds(db: Db, organization: string, ids: string[]): Promise<TeamView[]> {
  return query<TeamView>(db, `select ${columns} from teams t where t.organization_id = $1 and t.id = any($2)`, [
    organization,
    ids,
  ])
}

/** Locks a team against deletion until the transaction ends; false when there is no such team. */
export async function lockAgainstDeletion(db: Db, { organization, team }: TeamKey): Promise<boolean> {
  const locked = await db.findOne(TeamEntity, {
    where: { organizationId: organization, id: team },
    lock: { mode: 'for_key_share' },
  })
  return locked !== null
}

export async function insert(db: Db, team: TeamRow): Promise<void> {
  await db.insert(TeamEntity, team)
}

/** Renames a team; false when it has the title already, or is not there. */
export async function rename(db: Db, { organization, team }: TeamKey, title: string): Promise<boolean> {
  const { affected } = await db.update(
    TeamEntity,
    { organizationId: organization, id: team, title: Not(title) },
    { title },
  )
  return affected === 1
}

/** Deletes a team and returns the user ids of its members; undefined when there is no such team. */
export async function remove(db: Db, { organization, team }: TeamKey): Promise<string[] | undefined> {
  const locked = await db.findOne(TeamEntity, {
    where: { organizationId: organization, id: team },
    lock: { mode: 'pessimistic_write' },
  })
  if (!locked) return undefined
  const members = await db.find(TeamMemberEntity, { select: { userId: true }, where: { teamId: team } })
  await db.delete(TeamEntity, { id: team })
  return members.map(({ userId }) => userId)
}

/** Filter of a list of teams. */
export interface TeamFilter {
  organization: string
  title?: string | undefined
  /** User id of an owner. */
  ownedBy?: string | undefined
}

export async function list(db: Db, filter: TeamFilter, request: ListRequest): Promise<ListPage<TeamView>> {
  const values: unknown[] = [filter.organization]
  const where = ['t.organization_id = $1']
  if (filter.title) where.push(`t.title ilike $${values.push(containsPattern(filter.title))}`)
  if (filter.ownedBy !== undefined)
    where.push(
      `exists (select from team_members o where o.team_id = t.id and o.role = 'owner' and o.user_id = $${values.push(filter.ownedBy)})`,
    )
  return listPage<TeamView>(
    db,
    { sql: `select ${columns} from teams t where ${where.join(' and ')}`, values, ...newestFirst },
    request,
  )
}

/** The teams that a member is in, with their role in each, newest first. */
export async function listForMember(
  db: Db,
  filter: { organization: string; userId: string; title?: string | undefined },
  request: ListRequest,
): Promise<ListPage<TeamView & { role: TeamRole }>> {
  const values: unknown[] = [filter.organization, filter.userId]
  const title = filter.title ? `and t.title ilike $${values.push(containsPattern(filter.title))}` : ''
  const sql = `select ${columns}, p.role from team_members p join teams t on t.id = p.team_id
    where p.organization_id = $1 and p.user_id = $2 ${title}`
  return listPage<TeamView & { role: TeamRole }>(db, { sql, values, ...newestFirst }, request)
}
