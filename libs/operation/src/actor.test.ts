import { describe, expect, it } from '@jest/globals'
import { atLeast, membershipIn, roles, type Actor } from './actor.ts'

describe('roles', () => {
  it('are in the order of what they may', () =>
    expect(roles).toEqual(['read', 'comment', 'edit', 'review', 'create', 'admin']))

  it.each(roles)('%s holds itself, all below it and nothing above', role => {
    expect(roles.filter(needed => atLeast(role, needed))).toEqual(roles.slice(0, roles.indexOf(role) + 1))
  })

  it.each([null, undefined])('%s holds none', none => expect(roles.filter(needed => atLeast(none, needed))).toEqual([]))
})

describe('an actor', () => {
  const actor: Actor = {
    userId: 'u',
    platformAdmin: true,
    scopes: ['admin'],
    memberships: [{ organization: 'o', role: null, teams: ['t'] }],
  }

  it('is a member of the organizations it has a membership in, and of no other', () => {
    expect(membershipIn(actor, 'o')).toEqual({ organization: 'o', role: null, teams: ['t'] })
    expect(membershipIn(actor, 'p')).toBeUndefined()
  })

  it('is told where its token lacks the single sign-on that an organization requires', () => {
    const without: Actor = { ...actor, memberships: [], ssoRequired: ['o'] }
    expect(() => membershipIn(without, 'o')).toThrow('requires single sign-on')
    expect(membershipIn(without, 'p')).toBeUndefined()
  })
})
