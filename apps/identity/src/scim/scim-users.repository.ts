import { query, type Db } from '@recto/database'
import type { Role } from '@recto/actor'
import { membersAsM, membersWithUsers, type MemberKey } from '../members/members.repository.ts'
import { groupsOfM } from '../teams/team-members.repository.ts'
import { isServiceAccountU, usersAsU } from '../users/users.repository.ts'
import type { Attributes } from './attributes.rules.ts'
import type { Filter } from './filter.rules.ts'
import { booleanCondition, filterSql, textCondition, type FilterAttributes } from './filter.sql.ts'
import { readPage, type PageRequest, type ScimPage } from './page.sql.ts'
import { ScimUserEntity, type ScimUserRow } from './scim-user.entity.ts'

/** A member of an organization as SCIM has them; one whom no client has provisioned has no attributes. */
export interface ScimUserView {
  userId: string
  role: Role | null
  disabled: boolean
  joinedAt: Date
  email: string
  displayName: string
  userName: string | null
  externalId: string | null
  attributes: Attributes | null
  updatedAt: Date | null
  groups: { value: string; display: string }[]
}

const columns = `m.user_id as "userId", m.role, m.disabled, m.joined_at as "joinedAt", u.email, u.display_name as "displayName",
  s.user_name as "userName", s.external_id as "externalId", s.attributes, s.updated_at as "updatedAt", coalesce(${groupsOfM}, '[]') as groups`
const tables = `${membersWithUsers}
  left join scim_users s on s.organization_id = m.organization_id and s.user_id = m.user_id`

/** Members `m` who are persons. */
const isPerson = `m.user_id not in (select u.id from ${usersAsU} where ${isServiceAccountU})`

const userName = 'coalesce(s.user_name, u.email)'
const displayName = `coalesce(s.attributes->>'displayName', u.display_name)`
const emails = `coalesce(s.attributes->'emails', jsonb_build_array(jsonb_build_object('value', u.email, 'type', 'work', 'primary', true)))`

/** The users with this e-mail, besides those of a condition on what clients have provisioned. */
const idsOf = (condition: string, comparand: string) => `m.user_id in (
  select p.user_id from scim_users p where p.organization_id = $1 and ${condition}
  union all select u.id from ${usersAsU} where lower(u.email) = ${comparand})`

const emailValue = textCondition(`item->>'value'`)
const filterAttributes: FilterAttributes = {
  compare: {
    id: textCondition('m.user_id', { isExact: true }),
    externalid: textCondition('s.external_id', { isExact: true }),
    username: textCondition(userName, { narrow: comparand => idsOf(`lower(p.user_name) = ${comparand}`, comparand) }),
    displayname: textCondition(displayName),
    active: booleanCondition('not m.disabled'),
    'emails.value': (comparison, bind) => {
      if (comparison.op !== 'eq' || typeof comparison.value !== 'string') return emailSql(emailValue(comparison, bind))
      const comparand = bind(comparison.value.toLowerCase())
      return `(${idsOf(`p.emails @> array[${comparand}::text]`, comparand)} and ${emailSql(emailValue(comparison, bind))})`
    },
  },
  values: {
    emails: {
      sql: emails,
      item: {
        compare: {
          value: emailValue,
          type: textCondition(`item->>'type'`),
          primary: booleanCondition(`item->>'primary' = 'true'`),
        },
      },
    },
  },
}

const emailSql = (condition: string) => `exists (select from jsonb_array_elements(${emails}) item where ${condition})`

const sortKeys: Readonly<Record<string, string>> = {
  id: 'm.user_id',
  username: `lower(${userName})`,
  displayname: `lower(${displayName})`,
  externalid: 's.external_id',
  'name.familyname': `lower(s.attributes->'name'->>'familyName')`,
  'name.givenname': `lower(s.attributes->'name'->>'givenName')`,
  active: 'not m.disabled',
  'meta.created': 'm.joined_at',
  'meta.lastmodified': 'coalesce(s.updated_at, m.joined_at)',
}

/** A page of the users of an organization, in the order in which they joined unless told otherwise. */
export async function list(
  db: Db,
  organization: string,
  { filter, ...request }: PageRequest & { filter?: Filter | undefined },
): Promise<ScimPage<ScimUserView>> {
  const values: unknown[] = [organization]
  const condition = filter && filterSql(filter, filterAttributes, value => `$${values.push(value)}`)
  const where = `m.organization_id = $1 and ${isPerson}${condition ? ` and ${condition}` : ''}`
  return readPage<ScimUserView>(db, {
    rows: `select ${columns} from ${tables}`,
    key: 'm.user_id',
    selection: `select m.user_id from ${condition || request.sortBy ? tables : membersAsM} where ${where}`,
    values,
    order: ['m.joined_at', 'm.user_id'],
    sortKeys,
    scope: 'm.organization_id = $1',
    request,
  })
}

/** A user of an organization; undefined when they are no member. */
export async function find(db: Db, { organization, userId }: MemberKey): Promise<ScimUserView | undefined> {
  const [user] = await query<ScimUserView>(
    db,
    `select ${columns} from ${tables} where m.organization_id = $1 and m.user_id = $2 and not (${isServiceAccountU})`,
    [organization, userId],
  )
  return user
}

/** Those of these ids that are users of an organization. */
export async function findUserIds(db: Db, organization: string, ids: string[]): Promise<Set<string>> {
  const users = await query<{ userId: string }>(
    db,
    `select m.user_id as "userId" from ${membersAsM} where m.organization_id = $1 and m.user_id = any($2) and ${isPerson}`,
    [organization, ids],
  )
  return new Set(users.map(({ userId }) => userId))
}

/** Whether another user of the organization has the name, in any case: an e-mail is that of a member whom no client has provisioned. */
export async function isUserNameTaken(
  db: Db,
  { organization, userId }: { organization: string; userId?: string | undefined },
  name: string,
): Promise<boolean> {
  const values = [organization, name.toLowerCase(), userId ?? '']
  const owners = await query(
    db,
    `select from ${tables} where m.organization_id = $1 and m.user_id <> $3
       and ${idsOf('lower(p.user_name) = $2', '$2')} and lower(${userName}) = $2`,
    values,
  )
  return owners.length > 0
}

/** Writes what a client has provisioned of a user. */
export async function save(db: Db, row: ScimUserRow): Promise<void> {
  await db.upsert(ScimUserEntity, row as never, ['organizationId', 'userId'])
}
