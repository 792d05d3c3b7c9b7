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
 * Deletes a collection with the collections and spaces in it. Does nothing when the actor may not read it; throws `forbidden` when
 * they may not manage it, or something in it.
 */
export async function deleteCollection(tx: Transaction, actor: Actor, id: string): Promise<void> {
  const found = await collections.findWithAcl(tx, id, actor)
  const access = found && !found.deletedAt ? resolveAccess(actor, found) : undefined
  if (!found || !access || !canView(access.role)) return
  requireManage(access.role)
  await lockTree(tx, found.organizationId)
  const subtree = await lockSubtree(tx, id)
  const now = await collections.findWithAcl(tx, id, actor)
  const role = now && resolveAccess(actor, now).role
  if (!now || now.deletedAt || now.organizationId !== found.organizationId || !role) return
  // The collection itself is part of the subtree.
  if (await hasUnmanageable(tx, viewerIn(actor, found.organizationId), subtree))
    throw new Failure('forbidden', 'There is something in this collection that you may not delete')
  const { organizationId } = now
  const spaces = await markCollectionsDeleted(tx, { organizationId, collections: subtree }, new Date())
  const nested = subtree.filter(collection => collection !== id)
  await publishCollectionDeleted(tx, actor, { id, organizationId, spaces, collections: nested })
}
