import { z } from 'zod'
import { empty, granting, Id, list, page, Role, Team, User, endpoints, onResource } from '@recto/contracts-shared'

const UserContentPermission = z
  .object({ permission: Role, user: User })
  .meta({ id: 'UserContentPermission', description: 'The role of a user on a space or collection' })

const TeamContentPermission = z
  .object({ permission: Role, team: Team })
  .meta({ id: 'TeamContentPermission', description: 'The role of a team on a space or collection' })

const some = z.array(Id).min(1).max(1000)

const InviteUsersAndTeams = z
  .object({
    role: Role.nullable().describe('The role to grant; null revokes'),
    users: some.optional().describe('Ids of members and guests of the organization'),
    teams: some.optional(),
  })
  .refine(({ users, teams }) => users !== undefined || teams !== undefined, 'must have users or teams')
  .meta({
    id: 'InviteUsersAndTeams',
    description: 'Users and teams to grant a role on a space or collection, all or nothing',
  })

const UpdateContentPermission = z
  .object({ role: Role.nullable().optional().describe('Null revokes') })
  .meta({ id: 'UpdateContentPermission', description: 'The new role on a space or collection' })

const byRole = page.extend({ role: Role.optional().describe('List only users with this role') })

/** Operations on permissions of spaces. */
export const spacePermissions = endpoints({
  inviteToSpace: {
    route: 'POST /spaces/{spaceId}/permissions',
    summary: 'Grant users and teams a role on a space',
    description: `${granting.invite} A deleted space is refused (409).`,
    body: InviteUsersAndTeams,
    reply: empty,
    isIdempotent: true,
    status: 204,
    errors: ['not_found', 'conflict'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['space.permissions.updated'],
    examples: [{ body: { role: 'read', users: ['{userId}'], teams: ['{teamId}'] } }],
  },
  listUserPermissionsInSpace: {
    route: 'GET /spaces/{spaceId}/permissions/users',
    summary: 'List the users with a role granted on a space',
    description: granting.listUsers,
    query: page,
    reply: list(UserContentPermission),
    errors: ['not_found'],
    scope: 'space:permissions:read',
    access: onResource('create'),
  },
  updateUserPermissionInSpace: {
    route: 'PATCH /spaces/{spaceId}/permissions/users/{userId}',
    summary: "Update a user's role on a space",
    description: `${granting.update} A deleted space is refused (409).`,
    body: UpdateContentPermission,
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['space.permissions.updated'],
    examples: [{ body: { role: 'read' } }],
  },
  removeUserFromSpace: {
    route: 'DELETE /spaces/{spaceId}/permissions/users/{userId}',
    summary: "Revoke a user's role on a space",
    description: `${granting.remove} A deleted space is refused (409).`,
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['space.permissions.updated'],
  },
  listTeamPermissionsInSpace: {
    route: 'GET /spaces/{spaceId}/permissions/teams',
    summary: 'List the teams with a role granted on a space',
    description: granting.listTeams,
    query: page,
    reply: list(TeamContentPermission),
    errors: ['not_found'],
    scope: 'space:permissions:read',
    access: onResource('create'),
  },
  updateTeamPermissionInSpace: {
    route: 'PATCH /spaces/{spaceId}/permissions/teams/{teamId}',
    summary: "Update a team's role on a space",
    description: `${granting.update} A deleted space is refused (409).`,
    body: UpdateContentPermission,
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['space.permissions.updated'],
    examples: [{ body: { role: 'read' } }],
  },
  removeTeamFromSpace: {
    route: 'DELETE /spaces/{spaceId}/permissions/teams/{teamId}',
    summary: "Revoke a team's role on a space",
    description: `${granting.remove} A deleted space is refused (409).`,
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['space.permissions.updated'],
  },
  listPermissionsAggregateInSpace: {
    route: 'GET /spaces/{spaceId}/permissions/aggregate',
    summary: 'List all users with access to a space, with their effective role',
    description: granting.aggregate,
    query: byRole,
    reply: list(UserContentPermission),
    errors: ['not_found'],
    scope: 'space:permissions:read',
    access: onResource('create'),
  },
})

/** Operations on permissions of collections. */
export const collectionPermissions = endpoints({
  inviteToCollection: {
    route: 'POST /collections/{collectionId}/permissions',
    summary: 'Grant users and teams a role on a collection',
    description: granting.invite,
    body: InviteUsersAndTeams,
    reply: empty,
    isIdempotent: true,
    status: 204,
    errors: ['not_found'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['collection.permissions.updated'],
    examples: [{ body: { role: 'read', users: ['{userId}'], teams: ['{teamId}'] } }],
  },
  listUserPermissionsInCollection: {
    route: 'GET /collections/{collectionId}/permissions/users',
    summary: 'List the users with a role granted on a collection',
    description: granting.listUsers,
    query: page,
    reply: list(UserContentPermission),
    errors: ['not_found'],
    scope: 'space:permissions:read',
    access: onResource('create'),
  },
  updateUserPermissionInCollection: {
    route: 'PATCH /collections/{collectionId}/permissions/users/{userId}',
    summary: "Update a user's role on a collection",
    description: granting.update,
    body: UpdateContentPermission,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['collection.permissions.updated'],
    examples: [{ body: { role: 'read' } }],
  },
  removeUserFromCollection: {
    route: 'DELETE /collections/{collectionId}/permissions/users/{userId}',
    summary: "Revoke a user's role on a collection",
    description: granting.remove,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['collection.permissions.updated'],
  },
  listTeamPermissionsInCollection: {
    route: 'GET /collections/{collectionId}/permissions/teams',
    summary: 'List the teams with a role granted on a collection',
    description: granting.listTeams,
    query: page,
    reply: list(TeamContentPermission),
    errors: ['not_found'],
    scope: 'space:permissions:read',
    access: onResource('create'),
  },
  updateTeamPermissionInCollection: {
    route: 'PATCH /collections/{collectionId}/permissions/teams/{teamId}',
    summary: "Update a team's role on a collection",
    description: granting.update,
    body: UpdateContentPermission,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['collection.permissions.updated'],
    examples: [{ body: { role: 'read' } }],
  },
  removeTeamFromCollection: {
    route: 'DELETE /collections/{collectionId}/permissions/teams/{teamId}',
    summary: "Revoke a team's role on a collection",
    description: granting.remove,
    reply: empty,
    status: 204,
    errors: ['not_found'],
    scope: 'space:permissions:write',
    access: onResource('create'),
    records: ['collection.permissions.updated'],
  },
  listPermissionsAggregateInCollection: {
    route: 'GET /collections/{collectionId}/permissions/aggregate',
    summary: 'List all users with access to a collection, with their effective role',
    description: granting.aggregate,
    query: byRole,
    reply: list(UserContentPermission),
    errors: ['not_found'],
    scope: 'space:permissions:read',
    access: onResource('create'),
  },
})
