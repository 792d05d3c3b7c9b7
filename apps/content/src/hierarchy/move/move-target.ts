import type { Db } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canManage, notAllowedAround, viewerIn, type View } from '../../access/access.policy.ts'
import { holdPlace } from '../placement/placement.ts'
import type { Placement } from '../tree/tree.repository.ts'
import { positionAt, staysThere, type Anchors, type Sibling } from '../placement/position.rules.ts'
import { siblingsFor } from '../placement/siblings.repository.ts'

/** Where a caller wants something: an absent parent is the one it has. */
export interface MoveRequest {
  parent?: string | null | undefined
  position?: Anchors | undefined
}

interface Moved extends Pick<Sibling, 'object' | 'id'> {
  organizationId: string
  parent: string | null
}

/**
 * Holds the place where something is to come, before the thing itself is locked: collections are locked before what is in them.
 * Throws when the actor may not create there.
 */
export async function holdTarget(
  db: Db,
  actor: Actor,
  { moved, parent }: { moved: Moved & { view: View }; parent: MoveRequest['parent'] },
): Promise<string | null> {
  const target = parent === undefined ? moved.parent : parent
  // Who was not told of the collection that it is in did not name it either.
  if (parent === undefined && target !== null && !canManage(moved.view.parentRole)) throw notAllowedAround()
  await holdPlace(db, actor, { organization: moved.organizationId, parent: target })
  return target
}

/** The place of something among the siblings that its target has now; throws `conflict` when it would stay where it is. */
export async function placeAmong(
  db: Db,
  actor: Actor,
  { moved, target, position = {} }: { moved: Moved; target: string | null; position?: Anchors | undefined },
): Promise<Placement> {
  const siblings = await siblingsFor(db, viewerIn(actor, moved.organizationId), target)
  const at = positionAt(siblings, moved, position)
  if (moved.parent === target && staysThere(siblings, moved, at)) throw new Failure('conflict', 'It is there already')
  return { parent: target, position: at }
}
