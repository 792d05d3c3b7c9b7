import type { Db } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { type EffectiveAccess, requireManageParent, viewerIn } from '../access/access.policy.ts'
import type { Placement } from './collection-subtree.repository.ts'
import { lockPlacement } from './placement.ts'
import { type Anchors, isUnchanged, positionAt, type Sibling } from './position.rules.ts'
import { siblingsFor } from './siblings.repository.ts'

/** A request to move a resource; without `parent` it stays where it is, without `position` it goes to the end. */
export interface MoveRequest {
  parent?: string | null | undefined
  position?: Anchors | undefined
}

interface Moved extends Pick<Sibling, 'type' | 'id'> {
  organizationId: string
  parent: string | null
}

/**
 * Locks the place that a resource moves to and returns its parent. It runs before the resource itself is locked, because
 * collections are locked before what is in them. Throws `not_found` or `forbidden` when the actor may not create there.
 */
export async function lockMoveTarget(
  db: Db,
  actor: Actor,
  { moved, parent }: { moved: Moved & { access: EffectiveAccess }; parent: MoveRequest['parent'] },
): Promise<string | null> {
  const target = parent === undefined ? moved.parent : parent
  // The caller has not named this collection, and may not be able to read it.
  if (parent === undefined && target !== null) requireManageParent(actor, moved.access.parentRole)
  await lockPlacement(db, actor, { organization: moved.organizationId, parent: target })
  return target
}

/** The placement of a resource among the current siblings in its target; throws `conflict` when it would stay where it is. */
export async function choosePlacement(
  db: Db,
  actor: Actor,
  { moved, target, position = {} }: { moved: Moved; target: string | null; position?: Anchors | undefined },
): Promise<Placement> {
  const siblings = await siblingsFor(db, viewerIn(actor, moved.organizationId), target)
  const next = positionAt(siblings, moved, position)
  if (moved.parent === target && isUnchanged(siblings, moved, next))
    throw new Failure('conflict', 'It is there already')
  return { parent: target, position: next }
}
