import { groupSchema, type Attributes } from './attributes.rules.ts'
import { locationOf, metaOf, versionOf } from './resource-meta.ts'
import { schemasOf } from './read-user.rules.ts'
import type { ScimGroupView } from './scim-groups.repository.ts'

/** A member of a group, as they are listed in it. */
export interface ScimMember {
  userId: string
  displayName: string
}

/** A group with its members, which are left out unless they were read. */
export function presentScimGroup(
  group: ScimGroupView,
  publicUrl: string,
  members?: readonly ScimMember[],
): { resource: Attributes; version: string } {
  const { teamId, title, externalId, attributes, createdAt, updatedAt, membersHash } = group
  const own: Attributes = {
    schemas: schemasOf(attributes ?? {}, groupSchema),
    id: teamId,
    ...(externalId !== null && { externalId }),
    ...attributes,
    displayName: title,
  }
  const version = versionOf([own, membersHash])
  const location = locationOf(publicUrl, 'Groups', teamId)
  const meta = metaOf({ resourceType: 'Group', location, version, created: createdAt, changed: updatedAt })
  const listed = members?.map(({ userId, displayName }) => ({
    value: userId,
    display: displayName,
    type: 'User',
    $ref: locationOf(publicUrl, 'Users', userId),
  }))
  return { resource: { ...own, ...(listed && { members: listed }), meta }, version }
}
