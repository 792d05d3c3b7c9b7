import { operations } from '@recto/operation'
import { z } from 'zod'
import { Collection, empty, Id, Space } from '@recto/contracts-shared'

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
export const lifecycle = operations({
  deleteSpaceById: {
    route: 'DELETE /spaces/{spaceId}',
    summary: 'Delete a space; it can be restored within seven days',
    reply: empty,
    status: 204,
  },
  restoreSpace: {
    route: 'POST /spaces/{spaceId}/restore',
    summary: 'Restore a space that was deleted less than seven days ago',
    reply: Space,
    errors: ['not_found', 'conflict'],
  },
  duplicateSpace: {
    route: 'POST /spaces/{spaceId}/duplicate',
    summary: 'Duplicate a space: content and settings, without history, comments and permissions',
    reply: Space,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
  },
  moveSpace: {
    route: 'POST /spaces/{spaceId}/move',
    summary: 'Move a space to another position or collection',
    body: Move,
    reply: Space,
    errors: ['not_found', 'conflict'],
  },
  transferSpace: {
    route: 'POST /spaces/{spaceId}/transfer',
    summary: 'Transfer a space to another organization',
    body: Transfer,
    reply: Space,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  deleteCollectionById: {
    route: 'DELETE /collections/{collectionId}',
    summary: 'Delete a collection and everything in it; its spaces can be restored within seven days',
    reply: empty,
    status: 204,
  },
  moveCollection: {
    route: 'POST /collections/{collectionId}/move',
    summary: 'Move a collection to another position or collection',
    body: Move,
    reply: Collection,
    errors: ['not_found', 'conflict'],
  },
  transferCollection: {
    route: 'POST /collections/{collectionId}/transfer',
    summary: 'Transfer a collection and everything in it to another organization',
    body: Transfer,
    reply: Collection,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
})
