import { lifecycleEvents } from '@recto/contracts'
import { type Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canView, requireManage, requireNoRise, viewerIn, viewOf } from '../../access/access.policy.ts'
import type { PlacedCollection } from '../collections/collection.entity.ts'
import { requireCollection, type SeenCollection } from '../collections/collections.policy.ts'
import * as collections from '../collections/collections.repository.ts'
import { stamp } from '../../shared/event-metadata.ts'
import { isForbiddenIn } from '../visibility/forbidden.repository.ts'
import * as repository from '../tree/tree.repository.ts'
import { holdTarget, placeAmong, type MoveRequest } from '../move/move-target.ts'

/** Deletes a collection with the collections and spaces in it; for who may not see it there is nothing to do. */
export async function deleteCollection(tx: Transaction, actor: Actor, id: string): Promise<void> {
  const found = await collections.findFor(tx, id, actor)
  const view = found && !found.deletedAt ? viewOf(actor, found) : undefined
  if (!found || !view || !canView(view.role)) return
  requireManage(view.role)
  await repository.lockTree(tx, found.organizationId)
  const below = await repository.lockSubtree(tx, id)
  const now = await collections.findFor(tx, id, actor)
  const role = now && viewOf(actor, now).role
  if (!now || now.deletedAt || now.organizationId !== found.organizationId || !role) return
  // The collection itself is one of them.
  if (await isForbiddenIn(tx, viewerIn(actor, found.organizationId), below))
    throw new Failure('forbidden', 'There is something in this collection that you may not delete')
  const spaces = await repository.markCollectionsDeleted(tx, below, new Date())
  await tx.publish(lifecycleEvents.collectionDeleted, {
    ...stamp(actor, found),
    collection: id,
    spaces,
    collections: below.filter(nested => nested !== id),
  })
}

/** Moves a collection among its siblings or elsewhere in its organization, but never into itself. */
export async function moveCollection(
  tx: Transaction,
  actor: Actor,
  { id, ...request }: MoveRequest & { id: string },
): Promise<PlacedCollection> {
  const before = managed(actor, await collections.findFor(tx, id, actor))
  await repository.lockTree(tx, before.collection.organizationId)
  const { collection, view } = managed(actor, await collections.findFor(tx, id, actor))
  const target = await holdTarget(tx, actor, {
    moved: { ...collection, object: 'collection', view },
    parent: request.parent,
  })
  if (target !== null && (await repository.isWithin(tx, target, id))) throw intoItself()
  const held = managed(actor, await collections.lockFor(tx, id, { actor })).collection
  if (held.organizationId !== collection.organizationId)
    throw new Failure('conflict', 'The collection has just been given away')
  const placement = await placeAmong(tx, actor, {
    moved: { ...collection, object: 'collection' },
    target,
    position: request.position,
  })
  await repository.place(tx, 'collections', { id, ...placement })
  await tx.publish(lifecycleEvents.collectionMoved, { ...stamp(actor, collection), collection: id, parent: target })
  const moved = (await collections.findFor(tx, id, actor)) ?? collection
  requireNoRise(actor, { before: collection, after: moved })
  return moved
}

/** A collection that the actor sees and may manage. */
function managed(actor: Actor, found: PlacedCollection | undefined): SeenCollection {
  const seen = requireCollection(actor, found)
  requireManage(seen.role)
  return seen
}

function intoItself(): Failure {
  const details = [{ path: 'body.parent', message: 'is the collection itself, or lies in it' }]
  return new Failure('invalid_request', 'body.parent: is the collection itself, or lies in it', { details })
}
