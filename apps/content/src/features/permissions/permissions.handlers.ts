import { collectionPermissions, spacePermissions } from '@recto/contracts'
import { feature } from '@recto/operation'
import type { BaseContext } from '../../shared/context.ts'
import { ofCollections, ofSpaces, type Noun } from '../../hierarchy/kinds/resource-kind.ts'
import { aggregate, change, invite, listTeams, listUsers, remove } from './permissions.ts'

/** What a path names, of either noun. */
function named(noun: Noun) {
  return {
    object: (id: string) => ({ noun, id }),
    user: (id: string, subjectId: string) => ({ noun, id, subject: { subject: 'user' as const, subjectId } }),
    team: (id: string, subjectId: string) => ({ noun, id, subject: { subject: 'team' as const, subjectId } }),
  }
}

const space = named(ofSpaces)
const collection = named(ofCollections)

export const spacePermissionFeature = feature<BaseContext>()(spacePermissions, {
  inviteToSpace: ({ params, body }, context) => invite(space.object(params.spaceId), body, context),
  listUserPermissionsInSpace: ({ params, query }, context) => listUsers(space.object(params.spaceId), query, context),
  updateUserPermissionInSpace: ({ params, body }, context) =>
    change(space.user(params.spaceId, params.userId), body, context),
  removeUserFromSpace: ({ params }, context) => remove(space.user(params.spaceId, params.userId), context),
  listTeamPermissionsInSpace: ({ params, query }, context) => listTeams(space.object(params.spaceId), query, context),
  updateTeamPermissionInSpace: ({ params, body }, context) =>
    change(space.team(params.spaceId, params.teamId), body, context),
  removeTeamFromSpace: ({ params }, context) => remove(space.team(params.spaceId, params.teamId), context),
  listPermissionsAggregateInSpace: ({ params, query }, context) =>
    aggregate(space.object(params.spaceId), query, context),
})

export const collectionPermissionFeature = feature<BaseContext>()(collectionPermissions, {
  inviteToCollection: ({ params, body }, context) => invite(collection.object(params.collectionId), body, context),
  listUserPermissionsInCollection: ({ params, query }, context) =>
    listUsers(collection.object(params.collectionId), query, context),
  updateUserPermissionInCollection: ({ params, body }, context) =>
    change(collection.user(params.collectionId, params.userId), body, context),
  removeUserFromCollection: ({ params }, context) =>
    remove(collection.user(params.collectionId, params.userId), context),
  listTeamPermissionsInCollection: ({ params, query }, context) =>
    listTeams(collection.object(params.collectionId), query, context),
  updateTeamPermissionInCollection: ({ params, body }, context) =>
    change(collection.team(params.collectionId, params.teamId), body, context),
  removeTeamFromCollection: ({ params }, context) =>
    remove(collection.team(params.collectionId, params.teamId), context),
  listPermissionsAggregateInCollection: ({ params, query }, context) =>
    aggregate(collection.object(params.collectionId), query, context),
})
