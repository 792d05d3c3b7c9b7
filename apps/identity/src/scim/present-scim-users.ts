import type { Attributes } from './attributes.rules.ts'
import { locationOf, metaOf, versionOf } from './resource-meta.ts'
import { schemasOf } from './read-user.rules.ts'
import type { ScimUserView } from './scim-users.repository.ts'

/** The parts of a name that the product has as a whole: the last word is the family name, as far as one can tell. */
function nameOf(formatted: string): Attributes {
  const end = formatted.lastIndexOf(' ')
  if (end < 0) return { formatted, givenName: formatted }
  return { formatted, givenName: formatted.slice(0, end), familyName: formatted.slice(end + 1) }
}

/** A user with the attributes that a client has sent, or those of their account. */
export function presentScimUser(user: ScimUserView, publicUrl: string): { resource: Attributes; version: string } {
  const { attributes, groups, joinedAt, updatedAt } = user
  const email = { value: user.email, type: 'work', primary: true }
  const resource: Attributes = {
    schemas: schemasOf(attributes ?? {}),
    id: user.userId,
    ...(user.externalId !== null && { externalId: user.externalId }),
    userName: user.userName ?? user.email,
    displayName: user.displayName,
    name: nameOf(user.displayName),
    emails: [email],
    ...attributes,
    active: !user.disabled,
    roles: [{ value: user.role ?? 'guest', primary: true }],
    groups: groups.map(group => ({
      ...group,
      type: 'direct',
      $ref: locationOf(publicUrl, 'Groups', group.value),
    })),
  }
  const version = versionOf(resource)
  const location = locationOf(publicUrl, 'Users', user.userId)
  const meta = metaOf({ resourceType: 'User', location, version, created: joinedAt, changed: updatedAt })
  return { resource: { ...resource, meta }, version }
}
