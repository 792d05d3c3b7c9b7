import { z } from 'zod'
import { Collection, empty, Id, Space, endpoints, deleters, restorers, onResource } from '@recto/contracts-shared'

const Anchor = z
  .union([
    z.object({ type: z.literal('space'), space: Id }),
    z.object({ type: z.literal('collection'), collection: Id }),
  ])
  .meta({ id: 'ContentPointer', description: 'A space or collection' })

const Move = z
  .object({
    parent: Id.nullable()
      .optional()
      .describe('Id of the target collection; null for none; the current one unless given'),
    position: z
      .object({ before: Anchor.optional(), after: Anchor.optional() })
      .optional()
      .describe(
        'Position among the siblings: before one and after another, which must be adjacent when both are given; the end unless given',
      ),
  })
  .refine(({ parent, position }) => parent !== undefined || position !== undefined, 'must have parent or position')
  .meta({ id: 'MoveContent', description: 'Target of a move' })

const Transfer = z
  .object({ organization: Id.describe('Id of the organization to transfer it to') })
  .meta({ id: 'TransferContent', description: 'Target of a transfer' })

const moving =
  'The role `create` is needed where it goes, too. A move that would raise your role, or that of everybody above yours, is refused (403), and so is one that changes nothing (409).'
const transferring =
  'Needs the role `create` there, and to be an admin of the organization that it leaves. Grants of teams, and of users who are not there, end, and higher roles are lowered to yours; while a published site shows it, it is refused (412).'

/** Operations that delete, restore, copy, move and transfer spaces and collections. */
export const lifecycle = endpoints({
  deleteSpaceById: {
    route: 'DELETE /spaces/{spaceId}',
    summary: 'Delete a space; it can be restored within seven days',
    description:
      'Lists and sites do not show it any more. It is purged after the seven days, with its history. A space that you do not see, or that is deleted already, is left as it is.',
    reply: empty,
    status: 204,
    scope: 'space:write',
    access: deleters,
    records: ['space.deleted'],
  },
  restoreSpace: {
    route: 'POST /spaces/{spaceId}/restore',
    summary: 'Restore a space that was deleted less than seven days ago',
    description:
      'It goes to the end of its collection, or to the top of the organization if the collection is gone, and sites show it as before. After seven days it is refused (409). A space that is not deleted stays as it is.',
    reply: Space,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: restorers,
    records: ['space.restored', 'space.permissions.updated'],
    examples: [{ params: { spaceId: '{deletedSpaceId}' } }],
  },
  duplicateSpace: {
    route: 'POST /spaces/{spaceId}/duplicate',
    summary: 'Duplicate a space: content and settings, without history, comments and permissions',
    description:
      'The copy comes last in the same collection, where you need the role `create`, too. It is no more open than your role; the copy of a closed space makes you its admin. A deleted space is refused (409).',
    reply: Space,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('create'),
    records: ['space.created', 'space.content.updated', 'space.permissions.updated'],
  },
  moveSpace: {
    route: 'POST /spaces/{spaceId}/move',
    summary: 'Move a space to another position or collection',
    description: `Without \`position\` it goes to the end. ${moving}`,
    body: Move,
    reply: Space,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('create'),
    records: ['space.moved'],
    examples: [
      { params: { spaceId: '{ownSpaceId}' }, body: { parent: '{collectionId}' } },
      { params: { spaceId: '{ownSpaceId}' }, body: { position: { before: { type: 'space', space: '{spaceId}' } } } },
      {
        params: { spaceId: '{ownSpaceId}' },
        body: { position: { before: { type: 'collection', collection: '{collectionId}' } } },
      },
      { params: { spaceId: '{ownSpaceId}' }, body: { position: { after: { type: 'space', space: '{spaceId}' } } } },
      {
        params: { spaceId: '{ownSpaceId}' },
        body: { position: { after: { type: 'collection', collection: '{collectionId}' } } },
      },
    ],
  },
  transferSpace: {
    route: 'POST /spaces/{spaceId}/transfer',
    summary: 'Transfer a space to another organization',
    description: `It goes to the top of the other organization. ${transferring} A space that is deleted, or belongs to that organization already, is refused (409).`,
    body: Transfer,
    reply: Space,
    isIdempotent: true,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    scope: 'space:write',
    access: onResource('admin'),
    records: ['space.transferred', 'space.permissions.updated'],
    examples: [{ params: { spaceId: '{ownSpaceId}' }, body: { organization: '{targetOrganizationId}' } }],
  },
  deleteCollectionById: {
    route: 'DELETE /collections/{collectionId}',
    summary: 'Delete a collection and everything in it; its spaces can be restored within seven days',
    description:
      'It is final for the collections in it; its spaces come back to the top of the organization. Refused when you may not delete something in it (403). A collection that you do not see is left as it is.',
    reply: empty,
    status: 204,
    scope: 'space:write',
    access: deleters,
    records: ['collection.deleted'],
  },
  moveCollection: {
    route: 'POST /collections/{collectionId}/move',
    summary: 'Move a collection to another position or collection',
    description: `All that is in it moves along, to the end without \`position\`, and never into itself (400). ${moving}`,
    body: Move,
    reply: Collection,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('create'),
    records: ['collection.moved'],
    examples: [
      { params: { collectionId: '{ownCollectionId}' }, body: { parent: '{collectionId}' } },
      {
        params: { collectionId: '{ownCollectionId}' },
        body: { position: { before: { type: 'space', space: '{spaceId}' } } },
      },
      {
        params: { collectionId: '{ownCollectionId}' },
        body: { position: { before: { type: 'collection', collection: '{collectionId}' } } },
      },
      {
        params: { collectionId: '{ownCollectionId}' },
        body: { position: { after: { type: 'space', space: '{spaceId}' } } },
      },
      {
        params: { collectionId: '{ownCollectionId}' },
        body: { position: { after: { type: 'collection', collection: '{collectionId}' } } },
      },
    ],
  },
  transferCollection: {
    route: 'POST /collections/{collectionId}/transfer',
    summary: 'Transfer a collection and everything in it to another organization',
    description: `It goes to the top of the other organization. ${transferring} A collection that belongs to that organization already is refused (409).`,
    body: Transfer,
    reply: Collection,
    isIdempotent: true,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    scope: 'space:write',
    access: onResource('admin'),
    records: ['collection.transferred', 'collection.permissions.updated'],
    examples: [{ params: { collectionId: '{ownCollectionId}' }, body: { organization: '{targetOrganizationId}' } }],
  },
})
