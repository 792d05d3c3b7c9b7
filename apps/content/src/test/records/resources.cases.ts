import { expect } from '@jest/globals'
import { organization } from '../content-setup.ts'
import { anId, otherOrganization, recordCase, type RecordTools } from './record-case.ts'

const permissions = (users: string[], { teams = [] as string[], defaultLevel = false } = {}) => ({
  details: { users, teams, defaultLevel },
})

/** A collection with a default level of its own. */
async function anOpenCollection({ admin, collection }: RecordTools) {
  const collectionId = await collection()
  await admin.updateCollectionById({ params: { collectionId }, body: { defaultLevel: 'edit' } })
  return collectionId
}

/** A deleted space, whose collection is deleted, too; its level was that of the collection. */
async function aDeletedSpace(tools: RecordTools) {
  const collectionId = await anOpenCollection(tools)
  const spaceId = await tools.space({ parent: collectionId })
  await tools.admin.deleteCollectionById({ params: { collectionId } })
  return spaceId
}

/** The operations of spaces and collections. */
export const resourceCases = [
  recordCase('createSpace', 'an empty space', async ({ admin, params }) => ({
    act: () => admin.createSpace({ params, body: { title: 'New' } }),
    changes: ({ id }) => [['space.created', { space: id }, { details: { parent: null } }]],
  })),
  recordCase('createSpace', 'a space with pages', async ({ admin, params, collection }) => {
    const parent = await collection()
    const body = { parent, template: { id: 'guide' } }
    return {
      act: () => admin.createSpace({ params, body }),
      changes: ({ id, revision }) => [
        ['space.created', { space: id }, { details: { parent } }],
        ['space.content.updated', { space: id }, { revision: { before: anId, after: revision } }],
      ],
    }
  }),
  recordCase('updateSpaceById', 'a title and the default level', async ({ admin, space }) => {
    const spaceId = await space()
    const update = () =>
      admin.updateSpaceById({ params: { spaceId }, body: { title: 'A secret title', defaultLevel: null } })
    return {
      act: update,
      changes: [
        ['space.updated', { space: spaceId }, { details: { fields: ['title', 'defaultLevel'] } }],
        ['space.permissions.updated', { space: spaceId }, permissions(['admin'], { defaultLevel: true })],
      ],
      unchanged: update,
    }
  }),
  recordCase('deleteSpaceById', 'a space', async ({ admin, space }) => {
    const spaceId = await space()
    const remove = () => admin.deleteSpaceById({ params: { spaceId } })
    return { act: remove, changes: [['space.deleted', { space: spaceId }]], unchanged: remove }
  }),
  recordCase('restoreSpace', 'a space whose collection is gone', async tools => {
    const spaceId = await aDeletedSpace(tools)
    const restore = () => tools.admin.restoreSpace({ params: { spaceId } })
    return {
      act: restore,
      changes: [
        ['space.restored', { space: spaceId }, { details: { parent: null } }],
        ['space.permissions.updated', { space: spaceId }, permissions([], { defaultLevel: true })],
      ],
      unchanged: restore,
    }
  }),
  recordCase('duplicateSpace', 'a closed space', async ({ admin, space }) => {
    const spaceId = await space()
    await admin.updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
    return {
      act: () => admin.duplicateSpace({ params: { spaceId } }),
      changes: ({ id, revision }) => [
        ['space.created', { space: id }, { details: { parent: null } }],
        ['space.content.updated', { space: id }, { revision: { before: null, after: revision } }],
        ['space.permissions.updated', { space: id }, permissions(['admin'])],
      ],
    }
  }),
  recordCase('moveSpace', 'a space into a collection', async ({ admin, space, collection }) => {
    const spaceId = await space()
    const parent = await collection()
    const move = () => admin.moveSpace({ params: { spaceId }, body: { parent } })
    return {
      act: move,
      changes: [['space.moved', { space: spaceId }, { details: { parent } }]],
      unchanged: () => expect(move()).rejects.toMatchObject({ code: 'conflict' }),
    }
  }),
  recordCase('transferSpace', 'a space of a collection', async tools => {
    const { admin, space } = tools
    const spaceId = await space({ parent: await anOpenCollection(tools) })
    return {
      act: () => admin.transferSpace({ params: { spaceId }, body: { organization: otherOrganization } }),
      changes: [
        ['space.transferred', { space: spaceId }, { details: { to: otherOrganization } }],
        ['space.transferred', { space: spaceId }, { organization: otherOrganization, details: { from: organization } }],
        [
          'space.permissions.updated',
          { space: spaceId },
          { organization: otherOrganization, ...permissions([], { defaultLevel: true }) },
        ],
      ],
    }
  }),
  recordCase('createCollection', 'a collection', async ({ admin, params }) => ({
    act: () => admin.createCollection({ params, body: { title: 'New' } }),
    changes: ({ id }) => [['collection.created', { collection: id }, { details: { parent: null } }]],
  })),
  recordCase('updateCollectionById', 'a title and the default level', async ({ admin, collection }) => {
    const collectionId = await collection()
    const body = { title: 'A secret title', defaultLevel: 'edit' as const }
    const update = () => admin.updateCollectionById({ params: { collectionId }, body })
    return {
      act: update,
      changes: [
        ['collection.updated', { collection: collectionId }, { details: { fields: ['title', 'defaultLevel'] } }],
        ['collection.permissions.updated', { collection: collectionId }, permissions([], { defaultLevel: true })],
      ],
      unchanged: update,
    }
  }),
  recordCase('moveCollection', 'a collection into another', async ({ admin, collection }) => {
    const collectionId = await collection()
    const parent = await collection()
    return {
      act: () => admin.moveCollection({ params: { collectionId }, body: { parent } }),
      changes: [['collection.moved', { collection: collectionId }, { details: { parent } }]],
    }
  }),
  recordCase('deleteCollectionById', 'a collection with a space and a collection', async tools => {
    const { admin, collection, space } = tools
    const collectionId = await collection()
    const details = {
      spaces: [await space({ parent: collectionId })],
      collections: [await collection({ parent: collectionId })],
    }
    const remove = () => admin.deleteCollectionById({ params: { collectionId } })
    return {
      act: remove,
      changes: [['collection.deleted', { collection: collectionId }, { details }]],
      unchanged: remove,
    }
  }),
  recordCase('transferCollection', 'a nested collection with a space', async tools => {
    const { admin, collection, space } = tools
    const collectionId = await collection({ parent: await anOpenCollection(tools) })
    const spaces = [await space({ parent: collectionId })]
    const subject = { collection: collectionId }
    return {
      act: () => admin.transferCollection({ params: { collectionId }, body: { organization: otherOrganization } }),
      changes: [
        ['collection.transferred', subject, { details: { to: otherOrganization, spaces } }],
        [
          'collection.transferred',
          subject,
          { organization: otherOrganization, details: { from: organization, spaces } },
        ],
        [
          'collection.permissions.updated',
          subject,
          { organization: otherOrganization, ...permissions([], { defaultLevel: true }) },
        ],
      ],
    }
  }),
  recordCase('inviteToSpace', 'users and a team', async ({ admin, space }) => {
    const spaceId = await space()
    const body = { role: 'edit' as const, users: ['ada', 'bob'], teams: ['reds'] }
    const invite = () => admin.inviteToSpace({ params: { spaceId }, body })
    return {
      act: invite,
      changes: [['space.permissions.updated', { space: spaceId }, permissions(['ada', 'bob'], { teams: ['reds'] })]],
      unchanged: invite,
    }
  }),
  recordCase('inviteToCollection', 'users and a team', async ({ admin, collection }) => {
    const collectionId = await collection()
    const body = { role: 'edit' as const, users: ['ada', 'bob'], teams: ['reds'] }
    const invite = () => admin.inviteToCollection({ params: { collectionId }, body })
    const details = permissions(['ada', 'bob'], { teams: ['reds'] })
    return {
      act: invite,
      changes: [['collection.permissions.updated', { collection: collectionId }, details]],
      unchanged: invite,
    }
  }),
]

const granted = { role: 'edit' as const, users: ['ada'], teams: ['reds'] }
const read = { role: 'read' as const }
const ofUser = permissions(['ada'])
const ofTeam = permissions([], { teams: ['reds'] })

/** A space on which a user and a team have a grant. */
async function aSharedSpace({ admin, space }: RecordTools) {
  const spaceId = await space()
  await admin.inviteToSpace({ params: { spaceId }, body: granted })
  return { space: spaceId, user: { spaceId, userId: 'ada' }, team: { spaceId, teamId: 'reds' } }
}

/** A collection on which a user and a team have a grant. */
async function aSharedCollection({ admin, collection }: RecordTools) {
  const collectionId = await collection()
  await admin.inviteToCollection({ params: { collectionId }, body: granted })
  return { collection: collectionId, user: { collectionId, userId: 'ada' }, team: { collectionId, teamId: 'reds' } }
}

/** The operations of single grants. */
export const grantCases = [
  recordCase('updateUserPermissionInSpace', 'the role of a user', async tools => {
    const { space, user: params } = await aSharedSpace(tools)
    const update = () => tools.admin.updateUserPermissionInSpace({ params, body: read })
    return { act: update, changes: [['space.permissions.updated', { space }, ofUser]], unchanged: update }
  }),
  recordCase('removeUserFromSpace', 'the grant of a user', async tools => {
    const { space, user: params } = await aSharedSpace(tools)
    const remove = () => tools.admin.removeUserFromSpace({ params })
    return { act: remove, changes: [['space.permissions.updated', { space }, ofUser]], unchanged: remove }
  }),
  recordCase('updateTeamPermissionInSpace', 'the role of a team', async tools => {
    const { space, team: params } = await aSharedSpace(tools)
    const update = () => tools.admin.updateTeamPermissionInSpace({ params, body: read })
    return { act: update, changes: [['space.permissions.updated', { space }, ofTeam]], unchanged: update }
  }),
  recordCase('removeTeamFromSpace', 'the grant of a team', async tools => {
    const { space, team: params } = await aSharedSpace(tools)
    const remove = () => tools.admin.removeTeamFromSpace({ params })
    return { act: remove, changes: [['space.permissions.updated', { space }, ofTeam]], unchanged: remove }
  }),
  recordCase('updateUserPermissionInCollection', 'the role of a user', async tools => {
    const { collection, user: params } = await aSharedCollection(tools)
    const update = () => tools.admin.updateUserPermissionInCollection({ params, body: read })
    return { act: update, changes: [['collection.permissions.updated', { collection }, ofUser]], unchanged: update }
  }),
  recordCase('removeUserFromCollection', 'the grant of a user', async tools => {
    const { collection, user: params } = await aSharedCollection(tools)
    const remove = () => tools.admin.removeUserFromCollection({ params })
    return { act: remove, changes: [['collection.permissions.updated', { collection }, ofUser]], unchanged: remove }
  }),
  recordCase('updateTeamPermissionInCollection', 'the role of a team', async tools => {
    const { collection, team: params } = await aSharedCollection(tools)
    const update = () => tools.admin.updateTeamPermissionInCollection({ params, body: read })
    return { act: update, changes: [['collection.permissions.updated', { collection }, ofTeam]], unchanged: update }
  }),
  recordCase('removeTeamFromCollection', 'the grant of a team', async tools => {
    const { collection, team: params } = await aSharedCollection(tools)
    const remove = () => tools.admin.removeTeamFromCollection({ params })
    return { act: remove, changes: [['collection.permissions.updated', { collection }, ofTeam]], unchanged: remove }
  }),
]
