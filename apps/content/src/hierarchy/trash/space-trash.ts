import { contentEvents, lifecycleEvents } from '@recto/contracts'
import { type Db, type Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import {
  canManage,
  canView,
  meant,
  notAllowedAround,
  openedBy,
  requireManage,
  requireNoRise,
  viewOf,
} from '../../access/access.policy.ts'
import { endOf, lockSiblings } from '../placement/ordering.repository.ts'
import { placeIn } from '../placement/placement.ts'
import * as grants from '../../access/grants.repository.ts'
import { userGrant } from '../../access/grants.rules.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import type { PlacedSpace, SpaceRow } from '../spaces/space.entity.ts'
import { requireOn, requireView, type SeenSpace } from '../spaces/spaces.policy.ts'
import * as spaces from '../spaces/spaces.repository.ts'
import { stamp } from '../../shared/event-metadata.ts'
import * as repository from '../tree/tree.repository.ts'
import { copyOf, requireRestorable } from '../duplicate/duplicate.rules.ts'
import { holdTarget, placeAmong, type MoveRequest } from '../move/move-target.ts'

/** Deletes a space; for who may not see it, and when it is deleted already, there is nothing to do. */
export async function deleteSpace(tx: Transaction, actor: Actor, id: string): Promise<void> {
  const space = await spaces.lockFor(tx, id, actor)
  const view = space && viewOf(actor, space)
  if (!space || !view || !canView(view.role) || (space.deletedAt && !canManage(view.role))) return
  requireManage(view.role)
  if (space.deletedAt) return
  await repository.markSpaceDeleted(tx, id, new Date())
  await tx.publish(lifecycleEvents.spaceDeleted, { ...stamp(actor, space), space: id })
}

/** Restores a space to the end of the collection it was in; when that is deleted, to none, and no more open than it was there. It takes the right to delete it, and none in its collection. */
export async function restoreSpace(tx: Transaction, actor: Actor, id: string): Promise<PlacedSpace> {
  const { space: before } = managed(actor, await spaces.findFor(tx, id, actor))
  if (!before.deletedAt) return before
  const parent = before.parent !== null && (await repository.holdCollection(tx, before.parent)) ? before.parent : null
  const siblings = { organization: before.organizationId, parent }
  await lockSiblings(tx, siblings)
  const position = await endOf(tx, siblings)
  const { space, role } = managed(actor, await spaces.lockFor(tx, id, actor))
  if (!space.deletedAt) return space
  requireSamePlace(before, space)
  requireRestorable(space.deletedAt, new Date())
  const defaultLevel = parent === space.parent ? space.defaultLevel : openedBy(role, meant(space))
  await repository.restoreSpace(tx, id, { parent, position, defaultLevel })
  await tx.publish(lifecycleEvents.spaceRestored, { ...stamp(actor, space), space: id })
  // What they had they may have had by the collection, which is gone.
  const isShutOut = viewOf(actor, await reread(tx, actor, space)).role === null
  if (isShutOut) await grants.give(tx, userGrant('space', space, { user: actor.userId, role }))
  if (isShutOut || defaultLevel !== space.defaultLevel)
    await tellPermissions(tx, actor, {
      space,
      users: isShutOut ? [actor.userId] : [],
      defaultLevel: defaultLevel !== space.defaultLevel,
    })
  return reread(tx, actor, space)
}

/** Copies a space beside itself. */
export async function duplicateSpace(tx: Transaction, actor: Actor, id: string): Promise<PlacedSpace> {
  const seen = requireView(actor, await spaces.findFor(tx, id, actor))
  requireOn(seen, canManage)
  if (seen.space.parent !== null && !canManage(seen.view.parentRole)) throw notAllowedAround()
  const { parent, position } = await placeIn(tx, actor, {
    organization: seen.space.organizationId,
    parent: seen.space.parent,
  })
  const now = requireView(actor, await spaces.lockFor(tx, id, actor))
  requireOn(now, canManage)
  const { space: source } = now
  requireSamePlace(seen.space, source)
  const content = await revisions.find(tx, source.revision)
  if (!content) throw new Failure('conflict', 'The space is deleted')
  const { space, revision } = copyOf(source, {
    revision: content,
    createdBy: actor.userId,
    parent,
    position,
    defaultLevel: openedBy(now.role, source.defaultLevel),
  })
  await revisions.insert(tx, revision)
  await spaces.insert(tx, space)
  await tx.publish(contentEvents.spaceCreated, { ...stamp(actor, space), space: space.id, parent })
  if (space.defaultLevel === null) {
    await grants.give(tx, userGrant('space', space, { user: actor.userId, role: 'admin' }))
    await tellPermissions(tx, actor, { space, users: [actor.userId], defaultLevel: false })
  }
  return reread(tx, actor, space)
}

/** Moves a space among its siblings or elsewhere in its organization. */
export async function moveSpace(
  tx: Transaction,
  actor: Actor,
  { id, ...request }: MoveRequest & { id: string },
): Promise<PlacedSpace> {
  const seen = requireView(actor, await spaces.findFor(tx, id, actor))
  requireOn(seen, canManage)
  const target = await holdTarget(tx, actor, {
    moved: { ...seen.space, object: 'space', view: seen.view },
    parent: request.parent,
  })
  const now = requireView(actor, await spaces.lockFor(tx, id, actor))
  requireOn(now, canManage)
  requireSamePlace(seen.space, now.space)
  const placement = await placeAmong(tx, actor, {
    moved: { ...now.space, object: 'space' },
    target,
    position: request.position,
  })
  await repository.place(tx, 'spaces', { id, ...placement })
  await tx.publish(lifecycleEvents.spaceMoved, { ...stamp(actor, now.space), space: id, parent: target })
  const moved = await reread(tx, actor, now.space)
  requireNoRise(actor, { before: now.space, after: moved, isTheirs: now.space.createdBy === actor.userId })
  return moved
}

function managed(actor: Actor, space: PlacedSpace | undefined): SeenSpace {
  const seen = requireView(actor, space)
  requireManage(seen.role)
  return seen
}

/** What was found out before the lock, of the place where it is, holds still. */
function requireSamePlace(before: SpaceRow, now: SpaceRow): void {
  const stayed = before.organizationId === now.organizationId && before.parent === now.parent
  if (!stayed) throw new Failure('conflict', 'The space has just been moved elsewhere')
}

async function tellPermissions(
  tx: Transaction,
  actor: Actor,
  { space, ...changed }: { space: SpaceRow; users: string[]; defaultLevel: boolean },
): Promise<void> {
  await tx.publish(contentEvents.spacePermissionChanged, {
    ...stamp(actor, space),
    space: space.id,
    teams: [],
    ...changed,
  })
}

/** What was written, with all that the caller's role on it depends on now. */
async function reread(db: Db, actor: Actor, { id }: Pick<SpaceRow, 'id'>): Promise<PlacedSpace> {
  const space = await spaces.findFor(db, id, actor)
  if (!space) throw new Failure('not_found', 'There is no such space')
  return space
}
