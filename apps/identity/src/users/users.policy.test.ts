import type { Actor, Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import { canManageUsers, canSeeUser, canUpdateUser } from './users.policy.ts'

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

describe('canUpdateUser', () => {
  const user = (id: string, platformAdmin = false) => ({ id, platformAdmin })

  it.each([
    ['oneself', actor('read'), user('me'), ['org'], true],
    ['another, as admin of an organization', actor('admin'), user('other'), ['org'], false],
    ['another, as platform administrator', actor(undefined, true), user('other'), [], true],
    [
      'oneself, by the single sign-on of the only organization',
      { ...actor('read'), sso: 'org' },
      user('me'),
      ['org'],
      true,
    ],
    [
      'oneself, by the single sign-on of one organization of several',
      { ...actor('read'), sso: 'org' },
      user('me'),
      ['org', 'elsewhere'],
      false,
    ],
    ['a platform administrator, by single sign-on', { ...actor('read'), sso: 'org' }, user('me', true), ['org'], false],
  ])('%s', (_case, who, changed, organizations, expected) => {
    expect(canUpdateUser(who, changed, organizations)).toBe(expected)
  })
})
