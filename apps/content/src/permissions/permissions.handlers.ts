import { collectionPermissions, spacePermissions } from '@recto/contracts-content'
import { feature } from '@recto/operation'
import { collectionKind } from '../collections/collection-kind.ts'
import type { ResourceKind } from '../resources/resource-kind.ts'
import { spaceKind } from '../spaces/space-kind.ts'
import type { BaseContext } from '../shared/context.ts'
import { aggregate, change, invite, listTeams, listUsers, remove } from './permissions.ts'

/** The targets that paths name, for one kind of resource. */
function targets(kind: ResourceKind) {
  return {
    resource: (id: string) => ({ kind, id }),
    user: (id: string, subjectId: string) => ({ kind, id, subject: { subject: 'user' as const, subjectId } }),
    team: (id: string, subjectId: string) => ({ kind, id, subject: { subject: 'team' as const, subjectId } }),
  }
}

const space = targets(spaceKind)
const collection = targets(collectionKind)

export const spacePermissionFeature = feature<BaseContext>()(spacePermissions, {
  inviteToSpace: ({ params, body }, context) => invite(space.resource(params.spaceId), body, context),
  listUserPermissionsInSpace: ({ params, query }, context) => listUsers(space.resource(params.spaceId), query, context),
  updateUserPermissionInSpace: ({ params, body }, context) =>
    change(space.user(params.spaceId, params.userId), body, context),
  removeUserFromSpace: ({ params }, context) => remove(space.user(params.spaceId, params.userId), context),
  listTeamPermissionsInSpace: ({ params, query }, context) => listTeams(space.resource(params.spaceId), query, context),
  updateTeamPermissionInSpace: ({ params, body }, context) =>
    change(space.team(params.spaceId, params.teamId), body, context),
  removeTeamFromSpace: ({ params }, context) => remove(space.team(params.spaceId, params.teamId), context),
  listPermissionsAggregateInSpace: ({ params, query }, context) =>
    aggregate(space.resource(params.spaceId), query, context),
})

export const collectionPermissionFeature = feature<BaseContext>()(collectionPermissions, {
  inviteToCollection: ({ params, body }, context) => invite(collection.resource(params.collectionId), body, context),
  listUserPermissionsInCollection: ({ params, query }, context) =>
    listUsers(collection.resource(params.collectionId), query, context),
  updateUserPermissionInCollection: ({ params, body }, context) =>
    change(collection.user(params.collectionId, params.userId), body, context),
  removeUserFromCollection: ({ params }, context) =>
    remove(collection.user(params.collectionId, params.userId), context),
  listTeamPermissionsInCollection: ({ params, query }, context) =>
    listTeams(collection.resource(params.collectionId), query, context),
  updateTeamPermissionInCollection: ({ params, body }, context) =>
    change(collection.team(params.collectionId, params.teamId), body, context),
  removeTeamFromCollection: ({ params }, context) =>
    remove(collection.team(params.collectionId, params.teamId), context),
  listPermissionsAggregateInCollection: ({ params, query }, context) =>
    aggregate(collection.resource(params.collectionId), query, context),
})
