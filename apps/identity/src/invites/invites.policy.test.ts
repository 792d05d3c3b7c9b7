import type { Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import {
  canJoinByDomain,
  isRedundant,
  requireCanGrant,
  requireCanJoin,
  requireInviteLinks,
  type Joiner,
} from './invites.policy.ts'

describe('requireCanGrant', () => {
  const membership = (role: Role | null) => ({ organization: 'org', role, teams: [] })

  it.each<[Role | null, Role | null]>([
    ['admin', 'admin'],
    ['admin', null],
    ['edit', 'read'],
    [null, null],
  ])('allows %s to grant %s', (role, granted) => {
    expect(() => requireCanGrant(membership(role), granted)).not.toThrow()
  })

  it.each<[Role | null, Role]>([
    ['create', 'admin'],
    ['read', 'comment'],
    [null, 'read'],
  ])('forbids %s to grant %s', (role, granted) => {
    expect(() => requireCanGrant(membership(role), granted)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })
})

describe('isRedundant', () => {
  it.each<[Role | null, Role | null, boolean]>([
    ['admin', 'admin', true],
    ['admin', 'read', true],
    ['edit', 'review', false],
    [null, 'read', false],
    ['read', null, true],
    [null, null, true],
  ])('for %s an invite to %s: %s', (held, invited, expected) => expect(isRedundant(held, invited)).toBe(expected))
})

describe('requireInviteLinks', () => {
  it('names the setting that disables invite links', () => {
    expect(() => requireInviteLinks({ inviteLinks: true })).not.toThrow()
    expect(() => requireInviteLinks({ inviteLinks: false })).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('inviteLinks') }),
    )
  })
})

describe('requireCanJoin', () => {
  it.each<[Joiner, string | undefined]>([
    [{ isMember: false, requiresSso: false }, undefined],
    [{ isMember: false, hasUsed: false, requiresSso: false }, undefined],
    [{ isMember: false, hasUsed: true, requiresSso: false }, 'conflict'],
    [{ isMember: false, hasUsed: true, requiresSso: true }, 'conflict'],
    [{ isMember: false, requiresSso: true }, 'forbidden'],
    [{ isMember: true, hasUsed: true, requiresSso: true }, undefined],
    [{ isMember: true, hasUsed: false, requiresSso: true }, undefined],
  ])('%j: %s', (joiner, code) => {
    if (code) expect(() => requireCanJoin(joiner)).toThrow(expect.objectContaining({ code }))
    else expect(() => requireCanJoin(joiner)).not.toThrow()
  })
})

describe('canJoinByDomain', () => {
  it.each<[string[], string, boolean]>([
    [['recto.test'], 'ada@recto.test', true],
    [['other.test', 'recto.test'], 'ada@RECTO.Test', true],
    [['xn--bcher-kva.test'], 'ada@bücher.test', true],
    [['recto.test'], 'ada@docs.recto.test', false],
    [['docs.recto.test'], 'ada@recto.test', false],
    [['recto.test'], 'recto.test@elsewhere.test', false],
    [['recto.test'], '"ada@recto.test"@elsewhere.test', false],
    [[], 'ada@recto.test', false],
    [['recto.test'], 'no e-mail', false],
  ])('%j admits %s: %s', (domains, email, expected) => expect(canJoinByDomain(domains, email)).toBe(expected))
})
