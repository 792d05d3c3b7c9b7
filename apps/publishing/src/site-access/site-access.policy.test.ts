import { memberActor, roles, type DefaultLevel, type Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import {
  decideSiteRole,
  noGrants,
  requireCanGrant,
  requireGrantChange,
  requireNoEscalation,
  sitePermissionsOf,
  visitorPermissions,
  type SiteGrants,
} from './site-access.policy.ts'

const organization = 'o'
const toUser = (role: Role): SiteGrants => ({ users: { ada: role }, teams: {} })
const toTeams = (teams: Record<string, Role>): SiteGrants => ({ users: {}, teams })
const member = (role: Role | null, teams: string[] = []) => memberActor('ada', { organization, role, teams })

// prettier-ignore
const cases: [string, Role | null, SiteGrants, DefaultLevel, Role | null, string][] = [
  // who                                  in the organization, grants, default level, role on the site, what decides
  ['an admin',                            'admin',  toUser('read'),                              null,      'admin',  'organization'],
  ['a member with a lower grant',         'create', toUser('read'),                              'inherit', 'read',   'member'],
  ['a member with a higher grant',        'read',   toUser('create'),                            null,      'create', 'member'],
  ['a member whose team has a grant',     'read',   toTeams({ one: 'edit' }),                    null,      'edit',   'team'],
  ['a member with two such teams',        'read',   toTeams({ one: 'edit', two: 'review' }),     null,      'review', 'team'],
  ['a member of another team',            'read',   toTeams({ other: 'edit' }),                  'inherit', 'read',   'organization'],
  ['a member with both',                  'read',   { users: { ada: 'comment' }, teams: { one: 'admin' } }, null, 'comment', 'member'],
  ['a member of a closed site',           'create', noGrants,                                    null,      null,     'default'],
  ['a member with a default level',       'read',   noGrants,                                    'edit',    'edit',   'default'],
  ['a member who inherits',               'review', noGrants,                                    'inherit', 'review', 'organization'],
  ['a guest with a grant',                null,     toUser('edit'),                              null,      'edit',   'member'],
  ['a guest whose team has a grant',      null,     toTeams({ two: 'read' }),                    'inherit', 'read',   'team'],
  ['a guest with a default level',        null,     noGrants,                                    'admin',   null,     'default'],
  ['a guest who inherits',                null,     noGrants,                                    'inherit', null,     'organization'],
]

it.each(cases)('%s (%s) with %j and the default level %s has the role %s by %s', (...row) => {
  const [, role, grants, defaultLevel, expected, source] = row
  const site = { id: 'site', organizationId: organization, defaultLevel }
  expect(decideSiteRole(member(role, ['one', 'two']), site, grants)).toMatchObject({ role: expected, source })
})

it.each<[string, string[], Role | null]>([
  ['to the site', ['site'], 'admin'],
  ['to another one', ['other'], null],
  ['to none', [], null],
])('A token of an admin that is limited %s (%j) has the role %s', (_name, sites, role) => {
  const site = { id: 'site', organizationId: organization, defaultLevel: 'inherit' as const }
  const limitedTo = { spaces: [], collections: [], sites }
  expect(decideSiteRole({ ...member('admin'), limitedTo }, site, noGrants).role).toBe(role)
})

it('The team whose grant decides is named', () => {
  const site = { id: 'site', organizationId: organization, defaultLevel: null }
  const grants = toTeams({ one: 'edit', two: 'review' })
  expect(decideSiteRole(member('read', ['one', 'two']), site, grants).team).toBe('two')
})

it('Who has left the organization has no role, whatever grants remain', () => {
  const stranger = { ...member('read'), memberships: [] }
  const site = { id: 'site', organizationId: organization, defaultLevel: 'admin' as const }
  expect(decideSiteRole(stranger, site, toUser('admin')).role).toBeNull()
})

it.each<[Role | null, string[]]>([
  [null, []],
  ['read', ['view', 'access', 'viewAdaptiveSchema']],
  ['comment', ['view', 'access', 'viewAdaptiveSchema']],
  ['edit', ['view', 'access', 'edit', 'viewAdaptiveSchema']],
  ['review', ['view', 'access', 'edit', 'viewAdaptiveSchema']],
  ['create', ['view', 'access', 'edit', 'create', 'admin', 'viewAdaptiveSchema', 'editAdaptiveSchema']],
  ['admin', ['view', 'access', 'edit', 'create', 'admin', 'viewAdaptiveSchema', 'editAdaptiveSchema']],
])('The role %s may %j', (role, allowed) => {
  expect(Object.entries(sitePermissionsOf(role)).flatMap(([name, may]) => (may ? [name] : []))).toEqual(allowed)
})

it('A visitor may view a site, and nothing else', () => {
  expect(Object.entries(visitorPermissions).filter(([, may]) => may)).toEqual([['view', true]])
})

describe('nobody grants more than they have', () => {
  it.each(roles.flatMap(role => roles.map(level => [role, level] as const)))('%s grants %s', (role, level) => {
    const may = roles.indexOf(role) >= roles.indexOf('create') && roles.indexOf(level) <= roles.indexOf(role)
    const grant = () => requireCanGrant(role, level)
    if (may) expect(grant).not.toThrow()
    else expect(grant).toThrow()
  })

  it.each<[Role, Role[], Role | null, boolean]>([
    ['create', ['read'], null, true],
    ['create', ['admin'], null, false],
    ['create', ['read', 'admin'], 'read', false],
    ['admin', ['admin'], null, true],
    ['review', [], null, false],
  ])('%s changes the grants %j to %s: %s', (role, held, next, may) => {
    const change = () => requireGrantChange(role, { held, next })
    if (may) expect(change).not.toThrow()
    else expect(change).toThrow()
  })

  const both = (user: Role, team: Role): SiteGrants => ({ users: { ada: user }, teams: { one: team } })
  it.each<[string, DefaultLevel, SiteGrants, SiteGrants, boolean]>([
    ['a low grant is revoked and the team is admin', null, both('read', 'admin'), toTeams({ one: 'admin' }), false],
    ['a low grant hides that the team is admin', null, toTeams({ one: 'admin' }), both('read', 'admin'), false],
    ['a low grant is revoked and everybody is admin', 'admin', toUser('read'), noGrants, false],
    ['a low grant is revoked and the team creates', null, both('read', 'create'), toTeams({ one: 'create' }), true],
    ['an admin stays admin', null, both('admin', 'read'), both('admin', 'edit'), true],
  ])('When %s, it is allowed: %s', (...row) => {
    const [, defaultLevel, before, after, may] = row
    const members = [{ user: 'ada', role: 'read' as const, teams: ['one'] }]
    const site = { id: 'site', organizationId: organization, defaultLevel }
    const change = () => requireNoEscalation('create', site, { before, after, members })
    if (may) expect(change).not.toThrow()
    else expect(change).toThrow('It would change the role of somebody')
  })
})
