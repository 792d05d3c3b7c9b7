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

/** Operations that delete, restore, copy, move and transfer spaces and collections. */
export const lifecycle = endpoints({
  deleteSpaceById: {
    route: 'DELETE /spaces/{spaceId}',
    summary: 'Delete a space; it can be restored within seven days',
    reply: empty,
    status: 204,
    access: deleters,
  },
  restoreSpace: {
    route: 'POST /spaces/{spaceId}/restore',
    summary: 'Restore a space that was deleted less than seven days ago',
    reply: Space,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    access: restorers,
    examples: [{ params: { spaceId: '{deletedSpaceId}' } }],
  },
  duplicateSpace: {
    route: 'POST /spaces/{spaceId}/duplicate',
    summary: 'Duplicate a space: content and settings, without history, comments and permissions',
    reply: Space,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
  },
  moveSpace: {
    route: 'POST /spaces/{spaceId}/move',
    summary: 'Move a space to another position or collection',
    body: Move,
    reply: Space,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
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
    body: Transfer,
    reply: Space,
    isIdempotent: true,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    access: onResource('admin'),
    examples: [{ params: { spaceId: '{ownSpaceId}' }, body: { organization: '{targetOrganizationId}' } }],
  },
  deleteCollectionById: {
    route: 'DELETE /collections/{collectionId}',
    summary: 'Delete a collection and everything in it; its spaces can be restored within seven days',
    reply: empty,
    status: 204,
    access: deleters,
  },
  moveCollection: {
    route: 'POST /collections/{collectionId}/move',
    summary: 'Move a collection to another position or collection',
    body: Move,
    reply: Collection,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
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
    body: Transfer,
    reply: Collection,
    isIdempotent: true,
    errors: ['not_found', 'conflict', 'precondition_failed'],
    access: onResource('admin'),
    examples: [{ params: { collectionId: '{ownCollectionId}' }, body: { organization: '{targetOrganizationId}' } }],
  },
})
