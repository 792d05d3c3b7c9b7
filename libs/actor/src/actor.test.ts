import { describe, expect, it } from '@jest/globals'
import { atLeast, concernedBy, membershipIn, roles, type Actor } from './actor.ts'

describe('roles', () => {
  it('are in ascending order of rights', () =>
    expect(roles).toEqual(['read', 'comment', 'edit', 'review', 'create', 'admin']))

  it.each(roles)('%s includes itself, all lower roles and no higher one', role => {
    expect(roles.filter(needed => atLeast(role, needed))).toEqual(roles.slice(0, roles.indexOf(role) + 1))
  })

  it.each([null, undefined])('%s includes no role', none =>
    expect(roles.filter(needed => atLeast(none, needed))).toEqual([]),
  )
})

describe('an actor', () => {
  const actor: Actor = {
    userId: 'u',
    platformAdmin: true,
    scopes: ['admin'],
    memberships: [{ organization: 'o', role: null, teams: ['t'] }],
  }

  it('is a member of the organizations in its memberships only', () => {
    expect(membershipIn(actor, 'o')).toEqual({ organization: 'o', role: null, teams: ['t'] })
    expect(membershipIn(actor, 'p')).toBeUndefined()
  })

  it('is refused where its token lacks the single sign-on that an organization requires', () => {
    const without: Actor = { ...actor, memberships: [], ssoRequired: ['o'] }
    expect(() => membershipIn(without, 'o')).toThrow('requires single sign-on')
    expect(membershipIn(without, 'p')).toBeUndefined()
  })
})

describe('a change affects', () => {
  const nobody = { platformAdmin: false, scopes: [], memberships: [] }
  const member: Actor = { ...nobody, userId: 'member', memberships: [{ organization: 'o', role: null, teams: [] }] }
  const barred: Actor = { ...nobody, userId: 'barred', ssoRequired: ['o'] }
  const stranger: Actor = { ...nobody, userId: 'stranger', memberships: [{ organization: 'p', role: null, teams: [] }] }
  const concerned = (change: Parameters<typeof concernedBy>[0]) =>
    [member, barred, stranger].filter(concernedBy(change)).map(({ userId }) => userId)

  it('the users that it names', () => expect(concerned({ userIds: ['stranger', 'nobody'] })).toEqual(['stranger']))

  it('the members of an organization that it names, even if it refuses their token', () =>
    expect(concerned({ userIds: [], organizations: ['o'] })).toEqual(['member', 'barred']))
})
