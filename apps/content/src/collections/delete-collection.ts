import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canView, requireManage, resolveAccess, viewerIn } from '../access/access.policy.ts'
import { publishCollectionDeleted } from './collection-events.ts'
import * as collections from '../resources/collections.repository.ts'
import { lockSubtree, lockTree } from '../resources/collection-subtree.repository.ts'
import { hasUnmanageable } from '../resources/forbidden.repository.ts'
import { markCollectionsDeleted } from '../resources/trash.repository.ts'

/**
 * Deletes a collection with the collections and spaces in it. Does nothing when the actor may not read it; throws `forbidden` when the
 * actor may not manage it, or something in it.
 */
export async function deleteCollection(tx: Transaction, actor: Actor, id: string): Promise<void> {
  const collection = await collections.findWithAcl(tx, id, actor)
  const access = collection && !collection.deletedAt ? resolveAccess(actor, collection) : undefined
  if (!collection || !access || !canView(access.role)) return
  requireManage(access.role)
  await lockTree(tx, collection.organizationId)
  const subtree = await lockSubtree(tx, id)
  const current = await collections.findWithAcl(tx, id, actor)
  const role = current && resolveAccess(actor, current).role
  if (!current || current.deletedAt || current.organizationId !== collection.organizationId || !role) return
  // The collection itself is part of the subtree.
  if (await hasUnmanageable(tx, viewerIn(actor, collection.organizationId), subtree))
    throw new Failure('forbidden', 'There is something in this collection that you may not delete')
  const { organizationId } = current
  const spaces = await markCollectionsDeleted(tx, { organizationId, collections: subtree }, new Date())
  const nested = subtree.filter(collectionId => collectionId !== id)
  await publishCollectionDeleted(tx, actor, { id, organizationId, spaces, collections: nested })
}
