import { roles, type Actor, type Role } from '@recto/actor'
import { failureOf } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import type { SpaceWithAcl } from '../resources/space.entity.ts'
import { requireSpaceIn, requireRead, requireWrite, spaceCan, spacePermissions } from './spaces.policy.ts'

const actor = (role: Role | null): Actor => ({
  userId: 'me',
  platformAdmin: false,
  scopes: [],
  memberships: [{ organization: 'org', role, teams: [] }],
})
const space = (deletedAt: Date | null = null) =>
  ({
    organizationId: 'org',
    defaultLevel: 'inherit',
    editMode: 'live',
    deletedAt,
    userGrant: null,
    teamGrants: null,
    above: null,
  }) as SpaceWithAcl

describe('spacePermissions', () => {
  it.each<[Role | null, string[]]>([
    [null, []],
    ['read', ['view', 'access']],
    ['comment', ['view', 'access', 'comment']],
    ['edit', ['view', 'access', 'edit', 'comment']],
    ['review', ['view', 'access', 'edit', 'comment', 'merge', 'review']],
    ['create', ['view', 'access', 'admin', 'edit', 'triggerGitSync', 'comment', 'merge', 'review']],
    ['admin', ['view', 'access', 'admin', 'edit', 'triggerGitSync', 'comment', 'merge', 'review']],
  ])('The role %s has its permissions on a space', (role, expected) => {
    const granted = Object.entries(spacePermissions({ role, isOrganizationAdmin: false }, space())).filter(
      ([, allowed]) => allowed,
    )
    expect(granted.map(([name]) => name)).toEqual(expected)
  })

  it('Invite links of a space are visible to admins of the organization', () => {
    expect(spacePermissions({ role: 'admin', isOrganizationAdmin: false }, space()).viewInviteLinks).toBe(false)
    expect(spacePermissions({ role: 'admin', isOrganizationAdmin: true }, space()).viewInviteLinks).toBe(true)
  })

  it('Permissions are unchanged on a locked space, which can be edited by change requests', () => {
    const locked = { ...space(), editMode: 'locked' } as SpaceWithAcl
    const ofBoth = roles.map(role =>
      [space(), locked].map(one => spacePermissions({ role, isOrganizationAdmin: false }, one)),
    )
    expect(ofBoth.map(([, ofLocked]) => ofLocked)).toEqual(ofBoth.map(([ofLive]) => ofLive))
    expect(spacePermissions({ role: 'edit', isOrganizationAdmin: false }, locked)).toMatchObject({ edit: true })
  })
})

describe('of a deleted space', () => {
  it('Permissions that write are false on a deleted space', () => {
    const permissions = spacePermissions({ role: 'admin', isOrganizationAdmin: false }, space(new Date()))
    expect(
      Object.entries(permissions)
        .filter(([, allowed]) => allowed)
        .map(([name]) => name),
    ).toEqual(['view', 'access', 'admin'])
  })
})

describe('requireRead', () => {
  it('requireRead reports a missing space and an unreadable one with the same not_found', () => {
    const messages = [undefined, { ...space(), organizationId: 'other' }].map(row =>
      failureOf(() => requireRead(actor('admin'), row)),
    )
    expect(messages).toEqual([messages[0], messages[0]])
    expect(messages[0]?.code).toBe('not_found')
  })

  it('requireRead shows a deleted space only to those who could restore it', () => {
    expect(failureOf(() => requireRead(actor('review'), space(new Date())))?.code).toBe('not_found')
    expect(failureOf(() => requireRead(actor('create'), space(new Date())))).toBeUndefined()
  })
})

describe('requireWrite', () => {
  it('requireWrite reports forbidden for a readable space without the right, and conflict for a write on a deleted space', () => {
    expect(failureOf(() => requireWrite({ space: space(), role: 'review' }, spaceCan.triggerGitSync))?.code).toBe(
      'forbidden',
    )
    expect(
      failureOf(() => requireWrite({ space: space(new Date()), role: 'create' }, spaceCan.triggerGitSync))?.code,
    ).toBe('conflict')
    expect(failureOf(() => requireWrite({ space: space(), role: 'create' }, spaceCan.triggerGitSync))).toBeUndefined()
  })
})

describe('requireSpaceIn', () => {
  it('requireSpaceIn rejects a space that is missing, deleted or in another organization', () => {
    const codes = [undefined, space(), space(new Date())].map(one => failureOf(() => requireSpaceIn('org', one))?.code)
    expect(codes).toEqual(['not_found', undefined, 'not_found'])
    expect(failureOf(() => requireSpaceIn('other', space()))?.code).toBe('not_found')
  })
})
