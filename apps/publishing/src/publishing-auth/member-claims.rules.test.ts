import { expect, it } from '@jest/globals'
import { admitMember, memberClaims } from './member-claims.rules.ts'

const ada = { user: 'u1', email: 'ada@acme.test', name: 'Ada', role: 'edit' as const, teams: ['t1', 't2'] }

it('A member has the claims of a link of ping', () => {
  expect(memberClaims(ada, 'acme', null)).toEqual({
    claims: { sub: 'u1', email: 'ada@acme.test', name: 'Ada', organization: 'acme', role: 'edit', teams: ['t1', 't2'] },
  })
  expect(memberClaims({ ...ada, role: null }, 'acme', null)).toMatchObject({ claims: { role: 'guest' } })
})

it('A site that maps claims gives those alone', () => {
  expect(memberClaims(ada, 'acme', { groups: 'teams', mail: 'email' })).toEqual({
    claims: { groups: ['t1', 't2'], mail: 'ada@acme.test' },
  })
})

it('Claims that are too large are refused as a whole, unless they are not mapped', () => {
  const teams = Array.from({ length: 300 }, (_none, index) => `team-${index}`.padEnd(20, 'x'))
  expect(memberClaims({ ...ada, teams }, 'acme', null)).toEqual({ refusal: expect.stringMatching(/larger/) })
  expect(memberClaims({ ...ada, teams }, 'acme', { role: 'role' })).toEqual({ claims: { role: 'edit' } })
})

const site = (defaultLevel: 'read' | 'inherit' | null, adaptiveContent = true) => {
  return { id: 'manual', organizationId: 'acme', defaultLevel, adaptiveContent }
}
const grants = (users: Record<string, 'read'> = {}) => ({ users, teams: {} })

it.each([
  ['a member, on a site for all', ada, 'inherit' as const, grants(), true],
  ['a member, on a site for nobody', ada, null, grants(), false],
  ['a member with a grant, on a site for nobody', ada, null, grants({ u1: 'read' }), true],
  ['a guest, on a site for all members', { ...ada, role: null }, 'read' as const, grants(), false],
  ['a guest with a grant', { ...ada, role: null }, null, grants({ u1: 'read' }), true],
  ['nobody', null, 'read' as const, grants(), false],
])('Of %s, the site decides by its roles', (_title, member, level, held, isAdmitted) => {
  const admitted = admitMember(member, { site: site(level), grants: held, mapping: null })
  expect('claims' in admitted).toBe(isAdmitted)
})

it.each([
  [true, { refusal: expect.stringMatching(/larger/) }],
  [false, { claims: {} }],
])('A member of hundreds of teams reads a site with adaptive content %s: %j', (adaptiveContent, expected) => {
  const teams = Array.from({ length: 300 }, (_none, index) => `team-${index}`.padEnd(20, 'x'))
  const open = { site: site('read', adaptiveContent), grants: grants(), mapping: null }
  expect(admitMember({ ...ada, teams }, open)).toEqual(expected)
})
