import type { Db } from '@recto/database'
import { atLeast, Failure, type Actor, type Role } from '@recto/operation'
import { canManage, notAllowedAround, requireMember, type View } from '../access/access.policy.ts'
import { holdPlace } from '../collections/place-in.ts'
import type { Placement } from './lifecycle.repository.ts'
import { positionAt, staysThere, type Anchors, type Sibling } from './moving.rules.ts'
import { siblingsFor } from './siblings.repository.ts'

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
export async function holdTarget(db: Db, actor: Actor, { moved, parent }: { moved: Moved & { view: View }; parent: MoveRequest['parent'] }): Promise<string | null> {
  const target = parent === undefined ? moved.parent : parent
  // Who was not told of the collection that it is in did not name it either.
  if (parent === undefined && target !== null && !canManage(moved.view.parentRole)) throw notAllowedAround()
  await holdPlace(db, actor, { organization: moved.organizationId, parent: target })
  return target
}

/** A move may not give who makes it more than they had: they would be the admin of whatever they put into a collection of theirs. */
export function requireNoMore(before: Role | null, after: Role | null): void {
  if (after !== null && !atLeast(before, after)) throw new Failure('forbidden', `With the role ${before} nothing can be moved to where you have the role ${after}`)
}

/** The place of something among the siblings that its target has now; throws `conflict` when it would stay where it is. */
export async function placeAmong(db: Db, actor: Actor, { moved, target, position = {} }: { moved: Moved; target: string | null; position?: Anchors | undefined }): Promise<Placement> {
  const viewer = { ...requireMember(actor, moved.organizationId), userId: actor.userId }
  const siblings = await siblingsFor(db, viewer, { organization: moved.organizationId, parent: target })
  const at = positionAt(siblings, moved, position)
  if (moved.parent === target && staysThere(siblings, moved, at)) throw new Failure('conflict', 'It is there already')
  return { parent: target, position: at }
}
