import { roles, type Actor, type Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import {
  canAdminister,
  canGrant,
  organizationPermissions,
  requireMembership,
  refuseOrganizationToken,
} from './organizations.policy.ts'

const membership = (role: Role | null) => ({ organization: 'org', role, teams: [] })
const actor = (role: Role | null): Actor => ({
  userId: 'me',
  platformAdmin: false,
  scopes: [],
  memberships: [membership(role)],
})
const granted = (role: Role | null, ownsTeam = false) =>
  Object.entries(organizationPermissions(membership(role), { ownsTeam }))
    .filter(([, allowed]) => allowed)
    .map(([name]) => name)

describe('organizationPermissions', () => {
  it.each<[Role | null, string[]]>([
    [null, ['view', 'access']],
    ['read', ['view', 'access', 'listMembers', 'listTeams']],
    ['review', ['view', 'access', 'listMembers', 'listTeams']],
    ['create', ['view', 'access', 'createContent', 'createOpenAPISpec', 'listMembers', 'listTeams']],
    ['admin', ['view', 'access', 'admin', 'createContent', 'createOpenAPISpec', 'listMembers', 'listTeams']],
  ])('%s', (role, expected) => {
    expect(granted(role)).toEqual(expected)
  })

  it('of a team owner include ownTeam', () => expect(granted(null, true)).toEqual(['view', 'access', 'ownTeam']))

  it('of an outsider are empty', () => {
    expect(Object.values(organizationPermissions(undefined, { ownsTeam: true }))).not.toContain(true)
  })
})

describe('requireMembership', () => {
  it.each(roles)('%s of one organization does not see another', role => {
    expect(() => requireMembership(actor(role), 'other')).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  it('refuses roles that are too low, and returns the membership otherwise', () => {
    expect(() => requireMembership(actor('create'), 'org', canAdminister)).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    )
    expect(requireMembership(actor('admin'), 'org', canAdminister)).toEqual(membership('admin'))
  })
})

describe('canGrant', () => {
  it.each<[Role | null, Role | null, boolean]>([
    [null, null, true],
    [null, 'read', false],
    ['edit', 'edit', true],
    ['edit', 'review', false],
    ['create', 'admin', false],
    ['admin', 'admin', true],
  ])('%s grants %s: %s', (role, grantedRole, expected) =>
    expect(canGrant(membership(role), grantedRole)).toBe(expected),
  )
})

it('a token of single sign-on is refused by operations on the whole account', () => {
  expect(() => refuseOrganizationToken({ ...actor('admin'), sso: 'org' })).toThrow(
    expect.objectContaining({ code: 'forbidden' }),
  )
  expect(() => refuseOrganizationToken({ ...actor('admin'), serviceAccount: 'org' })).toThrow(
    'A service account belongs',
  )
  expect(() => refuseOrganizationToken(actor('admin'))).not.toThrow()
})
