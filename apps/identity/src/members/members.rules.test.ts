import type { Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import { requireRemainingAdmin } from './members.rules.ts'

describe('requireRemainingAdmin', () => {
  it.each<[string, Role | null, Role | null | undefined, number, boolean]>([
    ['the last admin is not demoted', 'admin', 'create', 1, false],
    ['the last admin is not made a guest', 'admin', null, 1, false],
    ['the last admin is not removed', 'admin', undefined, 1, false],
    ['the last admin may stay admin', 'admin', 'admin', 1, true],
    ['one of two admins may be demoted', 'admin', 'read', 2, true],
    ['one of two admins may be removed', 'admin', undefined, 2, true],
    ['a member who is no admin may be removed', 'create', undefined, 1, true],
    ['a guest may become admin', null, 'admin', 1, true],
  ])('%s', (_case, role, newRole, admins, allowed) => {
    const member = { role, isServiceAccount: false, disabled: false }
    const attempt = () => requireRemainingAdmin({ member, newRole, admins })
    if (allowed) expect(attempt).not.toThrow()
    else expect(attempt).toThrow('last admin')
  })

  it.each([
    ['a service account', { isServiceAccount: true, disabled: false }],
    ['a disabled member', { isServiceAccount: false, disabled: true }],
  ])('lets %s go, which is no admin who remains', (_case, standing) => {
    const member = { role: 'admin' as const, ...standing }
    expect(() => requireRemainingAdmin({ member, newRole: undefined, admins: 1 })).not.toThrow()
  })
})
