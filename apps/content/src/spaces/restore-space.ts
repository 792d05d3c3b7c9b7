import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { limitForbids } from '@recto/operation'
import { capDefaultLevel, resolveAccess, resolveDefaultLevel } from '../access/access.policy.ts'
import { keepAccess } from '../resources/keep-access.ts'
import { requireManageable, requireSamePlace } from '../resources/resource-kind.ts'
import { spaceKind } from './space-kind.ts'
import { lockSiblings, positionAtEnd } from '../resources/ordering.repository.ts'
import { getWithAcl } from './readable-space.ts'
import { publishSpaceRestored } from './space-events.ts'
import type { SpaceWithAcl } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { lockExistingCollection, markSpaceRestored } from '../resources/trash.repository.ts'
import { requireRestorable } from '../resources/trash.rules.ts'

/**
 * Restores a space to the end of its collection or, when that is deleted, of the root, then no more open than it was in the
 * collection. The actor needs the right to delete it, and none on its collection. Throws `conflict` after the restore period.
 */
export async function restoreSpace(tx: Transaction, actor: Actor, id: string): Promise<SpaceWithAcl> {
  const { resource: before } = requireManageable(spaceKind, actor, await spaces.findWithAcl(tx, id, actor))
  if (!before.deletedAt) return before
  const hasParent = before.parent !== null && (await lockExistingCollection(tx, before.parent))
  const siblings = { organization: before.organizationId, parent: hasParent ? before.parent : null }
  await lockSiblings(tx, siblings)
  const position = await positionAtEnd(tx, siblings)
  const readable = requireManageable(spaceKind, actor, await spaces.lockWithAcl(tx, id, actor))
  const { resource: space, role } = readable
  if (!space.deletedAt) return space
  requireSamePlace(before, space, 'space')
  requireRestorable(space.deletedAt, new Date())
  const { parent } = siblings
  const defaultLevel = parent === space.parent ? space.defaultLevel : capDefaultLevel(role, resolveDefaultLevel(space))
  await markSpaceRestored(tx, id, { parent, position, defaultLevel })
  await publishSpaceRestored(tx, actor, { ...space, parent })
  const isDefaultLevelChanged = defaultLevel !== space.defaultLevel
  // The actor is shut out where their role came from a collection that is deleted.
  const isShutOut = resolveAccess({ ...actor, limitedTo: undefined }, await getWithAcl(tx, id, actor)).role === null
  const grant = isShutOut ? { user: actor.userId, role } : undefined
  await keepAccess(tx, spaceKind, { resource: space, grant, isDefaultLevelChanged })
  const restored = await getWithAcl(tx, id, actor)
  // It is out of the deleted collection that the token is limited to.
  if (resolveAccess(actor, restored).role === null) throw limitForbids()
  return restored
}
