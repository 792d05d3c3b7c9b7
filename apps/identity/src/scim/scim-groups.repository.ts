import { query, type Db } from '@recto/database'
import { teamMembersAsP } from '../teams/team-members.repository.ts'
import { teamsAsT, type TeamKey } from '../teams/teams.repository.ts'
import type { Attributes } from './attributes.rules.ts'
import type { Comparison, Filter } from './filter.rules.ts'
import { filterSql, textCondition, type Bind, type FilterAttributes } from './filter.sql.ts'
import { readPage, type PageRequest, type ScimPage } from './page.sql.ts'
import { scimFault } from './scim-fault.ts'
import { ScimGroupEntity, type ScimGroupRow } from './scim-group.entity.ts'

/** A team of an organization as SCIM has it; one that no client has provisioned has no attributes. */
export interface ScimGroupView {
  teamId: string
  title: string
  createdAt: Date
  externalId: string | null
  attributes: Attributes | null
  updatedAt: Date | null
  members: number
  /** The hash of the ids of its members. */
  membersHash: string
}

const ownMembers = `${teamMembersAsP} where p.team_id = t.id`
const columns = `t.id as "teamId", t.title, t.created_at as "createdAt", s.external_id as "externalId", s.attributes,
  s.updated_at as "updatedAt", (select count(*)::int from ${ownMembers}) as members,
  (select coalesce(md5(string_agg(p.user_id, ',' order by p.user_id)), '') from ${ownMembers}) as "membersHash"`
const tables = `${teamsAsT} left join scim_groups s on s.organization_id = t.organization_id and s.team_id = t.id`

const memberCondition = ({ op, value, attribute }: Comparison, bind: Bind) => {
  if (op !== 'eq' || typeof value !== 'string')
    throw scimFault('invalidFilter', `${attribute} is compared by eq with the id of a user alone`)
  return `exists (select from ${ownMembers} and p.user_id = ${bind(value)})`
}

const filterAttributes: FilterAttributes = {
  compare: {
    id: textCondition('t.id', { isExact: true }),
    externalid: textCondition('s.external_id', { isExact: true }),
    displayname: textCondition('t.title'),
    members: memberCondition,
    'members.value': memberCondition,
  },
}

const sortKeys = {
  id: 't.id',
  displayname: 'lower(t.title)',
  externalid: 's.external_id',
  'meta.created': 't.created_at',
  'meta.lastmodified': 'coalesce(s.updated_at, t.created_at)',
}

/** A page of the groups of an organization, in the order in which they were created unless told otherwise. */
export async function list(
  db: Db,
  organization: string,
  { filter, ...request }: PageRequest & { filter?: Filter | undefined },
): Promise<ScimPage<ScimGroupView>> {
  const values: unknown[] = [organization]
  const condition = filter && filterSql(filter, filterAttributes, value => `$${values.push(value)}`)
  return readPage<ScimGroupView>(db, {
    rows: `select ${columns} from ${tables}`,
    key: 't.id',
    selection: `select t.id from ${tables} where t.organization_id = $1${condition ? ` and ${condition}` : ''}`,
    values,
    order: ['t.created_at', 't.id'],
    sortKeys,
    scope: 't.organization_id = $1',
    request,
  })
}

/** A group of an organization; undefined when there is none. */
export async function find(db: Db, { organization, team }: TeamKey): Promise<ScimGroupView | undefined> {
  const [group] = await query<ScimGroupView>(
    db,
    `select ${columns} from ${tables} where t.organization_id = $1 and t.id = $2`,
    [organization, team],
  )
  return group
}

/** Whether another team of the organization has the title, in any case. */
export async function isTitleTaken(
  db: Db,
  { organization, team }: { organization: string; team?: string },
  title: string,
): Promise<boolean> {
  const teams = await query(
    db,
    `select from ${teamsAsT} where t.organization_id = $1 and lower(t.title) = lower($2) and t.id <> $3 limit 1`,
    [organization, title, team ?? ''],
  )
  return teams.length > 0
}

/** Writes what a client has provisioned of a group. */
export async function save(db: Db, row: ScimGroupRow): Promise<void> {
  await db.upsert(ScimGroupEntity, row as never, ['organizationId', 'teamId'])
}
