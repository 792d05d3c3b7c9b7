import { operations } from '@recto/operation'
import { z } from 'zod'
import { empty, Id } from '../conventions.ts'
import { Collection } from './collections.ts'
import { Space } from './spaces.ts'

const Anchor = z
  .union([
    z.object({ type: z.literal('space'), space: Id }),
    z.object({ type: z.literal('collection'), collection: Id }),
  ])
  .meta({ id: 'ContentPointer', description: 'A space or collection' })

const Move = z
  .object({
    parent: Id.nullable().optional().describe('Collection to move it into, null for none; where it is unless given'),
    position: z
      .object({ before: Anchor.optional(), after: Anchor.optional() })
      .optional()
      .describe(
        'Anchors among the new siblings: it comes before the one and after the other, which must be neighbours when both are given; the end unless given',
      ),
  })
  .refine(({ parent, position }) => parent !== undefined || position !== undefined, 'must have parent or position')
  .meta({ id: 'MoveContent', description: 'Where to move a space or collection' })

const Transfer = z
  .object({ organization: Id.describe('Organization to give it to') })
  .meta({ id: 'TransferContent', description: 'To whom to give a space or collection' })

/** From the deletion of spaces and collections to their transfer. */
export const lifecycle = operations({
  deleteSpaceById: {
    route: 'DELETE /spaces/{spaceId}',
    summary: 'Delete a space; for seven days it can be restored',
    reply: empty,
    status: 204,
  },
  restoreSpace: {
    route: 'POST /spaces/{spaceId}/restore',
    summary: 'Restore a space that was deleted within the last seven days',
    reply: Space,
    errors: ['not_found', 'conflict'],
  },
  duplicateSpace: {
    route: 'POST /spaces/{spaceId}/duplicate',
    summary: 'Copy a space: its content and settings, without history, comments and grants',
    reply: Space,
    status: 201,
    errors: ['not_found', 'conflict'],
  },
  moveSpace: {
    route: 'POST /spaces/{spaceId}/move',
    summary: 'Move a space among its siblings or elsewhere',
    body: Move,
    reply: Space,
    errors: ['not_found', 'conflict'],
  },
  transferSpace: {
    route: 'POST /spaces/{spaceId}/transfer',
    summary: 'Give a space to another organization',
    body: Transfer,
    reply: Space,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  deleteCollectionById: {
    route: 'DELETE /collections/{collectionId}',
    summary: 'Delete a collection with all that is in it; its spaces can be restored for seven days',
    reply: empty,
    status: 204,
  },
  moveCollection: {
    route: 'POST /collections/{collectionId}/move',
    summary: 'Move a collection among its siblings or elsewhere',
    body: Move,
    reply: Collection,
    errors: ['not_found', 'conflict'],
  },
  transferCollection: {
    route: 'POST /collections/{collectionId}/transfer',
    summary: 'Give a collection with all that is in it to another organization',
    body: Transfer,
    reply: Collection,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
})
