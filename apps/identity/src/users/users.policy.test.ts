import type { Actor, Role } from '@recto/operation'
import { describe, expect, it } from 'vitest'
import { canManageUsers, canSeeUser } from './users.policy.ts'

const actor = (role: Role | null | undefined, platformAdmin = false): Actor => ({
  userId: 'me',
  platformAdmin,
  scopes: [],
  memberships: role === undefined ? [] : [{ organization: 'org', role, teams: [] }],
})

describe('canSeeUser', () => {
  it.each([
    ['oneself', actor(undefined), 'me', [], true],
    ['a stranger', actor('admin'), 'other', ['elsewhere'], false],
    ['a member of the same organization', actor('read'), 'other', ['elsewhere', 'org'], true],
    ['a member of the same organization, as a guest', actor(null), 'other', ['org'], false],
    ['anybody, as platform administrator', actor(undefined, true), 'other', [], true],
  ])('%s', (_case, who, userId, organizations, expected) => {
    expect(canSeeUser(who, userId, organizations)).toBe(expected)
  })
})

describe('canManageUsers', () => {
  it('is for platform administrators, not for admins of an organization', () => {
    expect([canManageUsers(actor('admin')), canManageUsers(actor(undefined, true))]).toEqual([false, true])
  })
})
