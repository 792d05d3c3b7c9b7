import { expect, it } from '@jest/globals'
import { atLeast, roleBeyondResources, type Actor, type Role } from './actor.ts'
import { requireMember, requireRole } from './require-role.ts'

const actorWith = (role: Role | null): Actor => ({
  userId: 'u',
  platformAdmin: false,
  scopes: [],
  memberships: [{ organization: 'o', role, teams: [] }],
})
const forbidden = (message: string) => expect.objectContaining({ code: 'forbidden', message })
const notFound = expect.objectContaining({ code: 'not_found', message: 'There is no such organization' })
const canEdit = (role: Role | null) => atLeast(role, 'edit')

it('a member has a role that allows something, or is refused by its name', () => {
  expect(requireRole(actorWith('create'), 'o', canEdit)).toBe('create')
  expect(() => requireRole(actorWith('read'), 'o', canEdit)).toThrow(forbidden('The role read does not allow this'))
})

it('a guest is a member without a role', () => {
  expect(requireMember(actorWith(null), 'o')).toMatchObject({ role: null })
  expect(requireRole(actorWith(null), 'o', () => true)).toBeNull()
  expect(() => requireRole(actorWith(null), 'o', canEdit)).toThrow(forbidden('Guests may not do this'))
})

it('who is not in an organization does not learn whether it exists', () => {
  expect(() => requireMember(actorWith('admin'), 'p')).toThrow(notFound)
  expect(() => requireRole(actorWith('admin'), 'p', canEdit)).toThrow(notFound)
})

it('a token that is limited to resources has no part in the rest of the organization, whatever the role of its owner', () => {
  const limited: Actor = { ...actorWith('admin'), limitedTo: { spaces: ['s'], collections: [], sites: [] } }
  const message = 'The token is limited to some resources: this is about others, too'
  expect([roleBeyondResources(actorWith('admin'), 'o'), roleBeyondResources(limited, 'o')]).toEqual(['admin', null])
  expect(() => requireRole(limited, 'o', () => true)).toThrow(forbidden(message))
  expect(() => requireRole(limited, 'p', () => true)).toThrow(notFound)
})
