import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure, fieldFault } from '@recto/operation'
import { requireNoEscalation } from '../access/access.policy.ts'
import { requireSamePlace, requireWritable, type Resource, type ResourceKind } from './resource-kind.ts'
import { lockMoveTarget, type MoveRequest, choosePlacement } from './move-target.ts'
import { isWithin, lockTree, updatePlacement } from './collection-subtree.repository.ts'

/**
 * Moves a space or collection among its siblings or to another place in its organization, and returns the moved resource. The actor
 * needs `create` on it and in the target. Throws `forbidden` when the move would raise a role (`requireNoEscalation`), `conflict`
 * when the resource is moved concurrently or is there already, and `invalid_request` for a collection moved into itself.
 */
export async function moveResource<Row extends Resource>(
  tx: Transaction,
  kind: ResourceKind<Row>,
  { actor, id, ...request }: MoveRequest & { actor: Actor; id: string },
): Promise<Row> {
  const readable = await findBeforeMove(tx, kind, { actor, id })
  const moved = { ...readable.resource, type: kind.type }
  const target = await lockMoveTarget(tx, actor, {
    moved: { ...moved, access: readable.access },
    parent: request.parent,
  })
  if (kind.isContainer && target !== null && (await isWithin(tx, target, id)))
    throw fieldFault('body.parent', 'is the collection itself, or lies in it')
  const { resource: before } = requireWritable(kind, { actor }, await kind.lock(tx, id, actor))
  requireSamePlace(readable.resource, before, kind.type)
  const placement = await choosePlacement(tx, actor, { moved, target, position: request.position })
  await updatePlacement(tx, before, placement)
  kind.recordMove(tx, { id, organizationId: before.organizationId, parent: target })
  const after = await kind.find(tx, id, actor)
  if (!after) throw new Failure('not_found', `There is no such ${kind.type}`)
  requireNoEscalation(actor, {
    before,
    after,
    isCreator: kind.creatorMayBecomeAdmin && before.createdBy === actor.userId,
  })
  return after
}

/** Finds and locks the resource to move; for a container, the tree of its organization first. */
async function findBeforeMove<Row extends Resource>(
  tx: Transaction,
  kind: ResourceKind<Row>,
  { actor, id }: { actor: Actor; id: string },
) {
  const readable = requireWritable(kind, { actor }, await kind.find(tx, id, actor))
  if (!kind.isContainer) return readable
  await lockTree(tx, readable.resource.organizationId)
  const locked = requireWritable(kind, { actor }, await kind.find(tx, id, actor))
  if (locked.resource.organizationId !== readable.resource.organizationId)
    throw new Failure('conflict', `The ${kind.type} has just been moved elsewhere`)
  return locked
}
