import { roles, type Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import type { LinkInviteRow } from './link-invite.entity.ts'
import {
  updateLinkInvite,
  newLinkInvite,
  planInvites,
  organizationRole,
  type InviteRequest,
  type LinkInviteRequest,
} from './invites.rules.ts'

describe('planInvites', () => {
  it.each<[string, InviteRequest, Role | null, [string, string, Role | null][]]>([
    ['the default role, where none is given', { emails: ['a@x.test'] }, 'edit', [['a@x.test', 'a@x.test', 'edit']]],
    ['the default role of guests', { emails: ['a@x.test'] }, null, [['a@x.test', 'a@x.test', null]]],
    [
      'the role of the request before the default',
      { emails: ['a@x.test'], role: 'read' },
      'edit',
      [['a@x.test', 'a@x.test', 'read']],
    ],
    [
      'guests, when the request specifies it',
      { emails: ['a@x.test'], role: null },
      'edit',
      [['a@x.test', 'a@x.test', null]],
    ],
    [
      'the role of the entry before all',
      { emails: [{ email: 'a@x.test', role: 'admin' }], role: 'read' },
      'edit',
      [['a@x.test', 'a@x.test', 'admin']],
    ],
    [
      'guests, when the entry specifies it',
      { emails: [{ email: 'a@x.test', role: null }], role: 'read' },
      'edit',
      [['a@x.test', 'a@x.test', null]],
    ],
    ['lower case', { emails: ['A@X.test'] }, 'read', [['a@x.test', 'A@X.test', 'read']]],
    [
      'the first entry of an e-mail',
      { emails: [{ email: 'A@x.test', role: 'edit' }, 'a@X.TEST', { email: 'a@x.test', role: 'admin' }] },
      'read',
      [['a@x.test', 'A@x.test', 'edit']],
    ],
    [
      'the order of the request',
      { emails: ['b@x.test', 'a@x.test', 'B@x.test'] },
      'read',
      [
        ['b@x.test', 'b@x.test', 'read'],
        ['a@x.test', 'a@x.test', 'read'],
      ],
    ],
  ])('applies %s', (_name, request, defaultRole, expected) => {
    expect(planInvites(request, defaultRole)).toEqual(
      expected.map(([email, originalEmail, role]) => ({ email, originalEmail, role })),
    )
  })
})

describe('createLinkInvite', () => {
  it.each<[LinkInviteRequest, Role | null, string | null, string | null]>([
    [{ role: 'edit' }, 'edit', null, null],
    [{ role: null }, null, null, null],
    [{ level: 'read', space: 'space' }, 'read', 'space', null],
    [{ level: null, space: 'space' }, null, 'space', null],
    [{ level: 'edit', collection: 'some' }, 'edit', null, 'some'],
  ])('of %j', (request, role, space, collection) => {
    expect(newLinkInvite('org', request)).toEqual({
      id: expect.any(String),
      organizationId: 'org',
      role,
      space,
      collection,
      createdAt: expect.any(Date),
    })
  })
})

const link = (space: string | null): LinkInviteRow => ({
  id: 'link',
  organizationId: 'org',
  role: 'edit',
  space,
  collection: null,
  createdAt: new Date(0),
})

describe('updateLinkInvite', () => {
  it.each<[string | null, Parameters<typeof updateLinkInvite>[1], Role | null]>([
    [null, { role: 'admin' }, 'admin'],
    [null, { role: null }, null],
    ['space', { level: 'read' }, 'read'],
    ['space', { level: null }, null],
  ])('of one to %s by %j', (space, change, role) =>
    expect(updateLinkInvite(link(space), change)).toEqual({ ...link(space), role }),
  )

  it.each<[string | null, Parameters<typeof updateLinkInvite>[1], string]>([
    [null, { level: 'read' }, 'body.level'],
    ['space', { role: 'read' }, 'body.role'],
    ['space', { role: null }, 'body.role'],
  ])('of one to %s refuses %j', (space, change, path) => {
    expect(() => updateLinkInvite(link(space), change)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [{ path, message: expect.any(String) }] }),
    )
  })
})

it.each([...roles, null])(
  'a link with the role %s adds members to an organization, and guests to a space or collection',
  role => {
    expect(organizationRole({ role, space: null, collection: null })).toBe(role)
    expect(organizationRole({ role, space: 'space', collection: null })).toBeNull()
    expect(organizationRole({ role, space: null, collection: 'some' })).toBeNull()
  },
)
