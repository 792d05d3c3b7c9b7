import { roles, type Actor, type Role } from '@recto/operation'
import { describe, expect, it } from 'vitest'
import { canViewOrganization, organizationPermissions } from './organizations.policy.ts'

const actor = (role: Role | null): Actor => ({
  userId: 'me',
  platformAdmin: false,
  scopes: [],
  memberships: [{ organization: 'org', role, teams: [] }],
})
const granted = (role: Role | null) =>
  Object.entries(organizationPermissions(actor(role), 'org')).filter(([, allowed]) => allowed).map(([name]) => name)

describe('organizationPermissions', () => {
  it.each<[Role | null, string[]]>([
    [null, ['view']],
    ['read', ['view', 'listMembers', 'listTeams']],
    ['review', ['view', 'listMembers', 'listTeams']],
    ['create', ['view', 'createContent', 'createOpenAPISpec', 'listMembers', 'listTeams']],
    ['admin', ['view', 'admin', 'createContent', 'createOpenAPISpec', 'listMembers', 'listTeams']],
  ])('%s', (role, expected) => {
    expect(granted(role)).toEqual(expected)
  })

  it.each(roles)('%s of one organization does not see another', role => {
    expect(canViewOrganization(actor(role), 'other')).toBe(false)
  })
})
