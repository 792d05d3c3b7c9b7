import { operations } from '@recto/operation'
import { z } from 'zod'
import { empty, Id, list, page, Role, User } from '../conventions.ts'
import { Team } from '../identity/teams.ts'

const UserContentPermission = z
  .object({ permission: Role, user: User })
  .meta({ id: 'UserContentPermission', description: 'The role of a user on a space or collection' })

const TeamContentPermission = z
  .object({ permission: Role, team: Team })
  .meta({ id: 'TeamContentPermission', description: 'The role that a team was granted on a space or collection' })

const some = z.array(Id).min(1).max(1000)

const InviteUsersAndTeams = z
  .object({
    role: Role.nullable().describe('The role that they have from now on; null takes what they were granted'),
    users: some.optional().describe('Ids of members and guests of the organization'),
    teams: some.optional(),
  })
  .refine(({ users, teams }) => users !== undefined || teams !== undefined, 'must have users or teams')
  .meta({
    id: 'InviteUsersAndTeams',
    description: 'Users and teams to give a role on a space or collection, all or nothing',
  })

const UpdateContentPermission = z
  .object({ role: Role.nullable().optional().describe('Null takes what was granted') })
  .meta({ id: 'UpdateContentPermission', description: 'Another role on a space or collection' })

const byRole = page.extend({ role: Role.optional().describe('Only users with this role') })

/** Operations on who may do what on spaces. */
export const spacePermissions = operations({
  inviteToSpace: {
    route: 'POST /spaces/{spaceId}/permissions',
    summary: 'Give users and teams a role on a space',
    body: InviteUsersAndTeams,
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
  },
  listUserPermissionsInSpace: {
    route: 'GET /spaces/{spaceId}/permissions/users',
    summary: 'List the users who were granted a role on a space',
    query: page,
    reply: list(UserContentPermission),
    errors: ['not_found'],
  },
  updateUserPermissionInSpace: {
    route: 'PATCH /spaces/{spaceId}/permissions/users/{userId}',
    summary: 'Change the role that a user was granted on a space',
    body: UpdateContentPermission,
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
  },
  removeUserFromSpace: {
    route: 'DELETE /spaces/{spaceId}/permissions/users/{userId}',
    summary: 'Take the role that a user was granted on a space',
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
  },
  listTeamPermissionsInSpace: {
    route: 'GET /spaces/{spaceId}/permissions/teams',
    summary: 'List the teams that were granted a role on a space',
    query: page,
    reply: list(TeamContentPermission),
    errors: ['not_found'],
  },
  updateTeamPermissionInSpace: {
    route: 'PATCH /spaces/{spaceId}/permissions/teams/{teamId}',
    summary: 'Change the role that a team was granted on a space',
    body: UpdateContentPermission,
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
  },
  removeTeamFromSpace: {
    route: 'DELETE /spaces/{spaceId}/permissions/teams/{teamId}',
    summary: 'Take the role that a team was granted on a space',
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
  },
  listPermissionsAggregateInSpace: {
    route: 'GET /spaces/{spaceId}/permissions/aggregate',
    summary: 'List everybody who can see a space, with their role on it, however they have it',
    query: byRole,
    reply: list(UserContentPermission),
    errors: ['not_found'],
  },
})

/** Operations on who may do what on collections. */
export const collectionPermissions = operations({
  inviteToCollection: {
    route: 'POST /collections/{collectionId}/permissions',
    summary: 'Give users and teams a role on a collection',
    body: InviteUsersAndTeams,
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  listUserPermissionsInCollection: {
    route: 'GET /collections/{collectionId}/permissions/users',
    summary: 'List the users who were granted a role on a collection',
    query: page,
    reply: list(UserContentPermission),
    errors: ['not_found'],
  },
  updateUserPermissionInCollection: {
    route: 'PATCH /collections/{collectionId}/permissions/users/{userId}',
    summary: 'Change the role that a user was granted on a collection',
    body: UpdateContentPermission,
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  removeUserFromCollection: {
    route: 'DELETE /collections/{collectionId}/permissions/users/{userId}',
    summary: 'Take the role that a user was granted on a collection',
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  listTeamPermissionsInCollection: {
    route: 'GET /collections/{collectionId}/permissions/teams',
    summary: 'List the teams that were granted a role on a collection',
    query: page,
    reply: list(TeamContentPermission),
    errors: ['not_found'],
  },
  updateTeamPermissionInCollection: {
    route: 'PATCH /collections/{collectionId}/permissions/teams/{teamId}',
    summary: 'Change the role that a team was granted on a collection',
    body: UpdateContentPermission,
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  removeTeamFromCollection: {
    route: 'DELETE /collections/{collectionId}/permissions/teams/{teamId}',
    summary: 'Take the role that a team was granted on a collection',
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
  listPermissionsAggregateInCollection: {
    route: 'GET /collections/{collectionId}/permissions/aggregate',
    summary: 'List everybody who can see a collection, with their role on it, however they have it',
    query: byRole,
    reply: list(UserContentPermission),
    errors: ['not_found'],
  },
})
