import { contentEvents, lifecycleEvents } from '@recto/contracts'
import { type Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canAdminister, meant, openedBy } from '../../access/access.policy.ts'
import type { PlacedCollection } from '../collections/collection.entity.ts'
import { requireCollection } from '../collections/collections.policy.ts'
import * as collections from '../collections/collections.repository.ts'
import { placeIn, type ManagingView } from '../placement/placement.ts'
import type { Context } from '../../shared/context.ts'
import * as grants from '../../access/grants.repository.ts'
import { userGrant } from '../../access/grants.rules.ts'
import type { PlacedSpace } from '../spaces/space.entity.ts'
import { requireOn, requireView } from '../spaces/spaces.policy.ts'
import * as spaces from '../spaces/spaces.repository.ts'
import { stamp } from '../../shared/event-metadata.ts'
import { lockSubtree, lockTree } from '../tree/tree.repository.ts'
import * as repository from './transfer.repository.ts'

/** How many users identity is asked about at once. */
const mostUsers = 1000

/** Gives a space to another organization, and leaves the grants to those who are in that one, too. */
export async function transferSpace(context: Context, id: string, target: string): Promise<PlacedSpace> {
  const { actor } = context
  const space = ownedSpace(actor, await spaces.findFor(context.db, id, actor))
  requireOther(space.organizationId, target)
  const estate = { spaces: [id], collections: [] }
  const users = await membersAmong(context, target, await repository.grantedUsers(context.db, estate))
  return context.transaction(async tx => {
    const { position, view } = await placeIn(tx, actor, { organization: target, parent: null })
    const before = ownedSpace(actor, await spaces.lockFor(tx, id, actor))
    requireOther(before.organizationId, target)
    await repository.give(tx, estate, { organization: target, users })
    await settle(tx, { object: 'space', before, estate, target, actor, position, view })
    await tx.publish(lifecycleEvents.spaceTransferred, {
      ...stamp(actor, { organizationId: target }),
      from: before.organizationId,
      space: id,
    })
    return (await spaces.findFor(tx, id, actor)) ?? before
  })
}

/** Gives a collection with all that is in it to another organization. */
export async function transferCollection(context: Context, id: string, target: string): Promise<PlacedCollection> {
  const { actor } = context
  const collection = ownedCollection(actor, await collections.findFor(context.db, id, actor))
  requireOther(collection.organizationId, target)
  const users = await membersAmong(
    context,
    target,
    await repository.grantedUsers(context.db, await repository.estateOf(context.db, id)),
  )
  return context.transaction(async tx => {
    await lockTree(tx, collection.organizationId)
    const { position, view } = await placeIn(tx, actor, { organization: target, parent: null })
    const collectionIds = await lockSubtree(tx, id)
    const before = ownedCollection(actor, await collections.findFor(tx, id, actor))
    requireOther(before.organizationId, target)
    if (before.organizationId !== collection.organizationId)
      throw new Failure('conflict', 'The collection has just been given away')
    const estate = { collections: collectionIds, spaces: await repository.lockSpacesIn(tx, collectionIds) }
    await repository.give(tx, estate, { organization: target, users })
    await settle(tx, { object: 'collection', before, estate, target, actor, position, view })
    await tx.publish(lifecycleEvents.collectionTransferred, {
      ...stamp(actor, { organizationId: target }),
      from: before.organizationId,
      collection: id,
      spaces: estate.spaces,
    })
    return (await collections.findFor(tx, id, actor)) ?? before
  })
}

interface Settling {
  object: 'space' | 'collection'
  before: PlacedSpace | PlacedCollection
  estate: repository.Estate
  target: string
  actor: Actor
  position: string
  view: ManagingView
}

/** It must not open to those whom a collection kept out, nor close to who brought it, nor give anybody more than they may give there. */
async function settle(
  tx: Transaction,
  { object, before, estate, target, actor, position, view }: Settling,
): Promise<void> {
  const defaultLevel = openedBy(view.role, meant(before))
  await repository.lowerTo(tx, estate, view.role)
  await repository.settle(tx, `${object}s`, { id: before.id, position, defaultLevel })
  const isShutOut = defaultLevel === null && !view.isOrganizationAdmin
  if (isShutOut)
    await grants.give(
      tx,
      userGrant(object, { id: before.id, organizationId: target }, { user: actor.userId, role: view.role }),
    )
  const changed = {
    ...stamp(actor, { organizationId: target }),
    users: isShutOut ? [actor.userId] : [],
    teams: [],
    defaultLevel: defaultLevel !== before.defaultLevel,
  }
  if (object === 'space') await tx.publish(contentEvents.spacePermissionChanged, { ...changed, space: before.id })
  else await tx.publish(contentEvents.collectionPermissionChanged, { ...changed, collection: before.id })
}

/** Only an admin of the organization gives something away: it goes with all that is in it, also what nobody else may see. */
function ownedSpace(actor: Actor, found: PlacedSpace | undefined): PlacedSpace {
  const seen = requireView(actor, found)
  if (!seen.view.isOrganizationAdmin) throw notOwned()
  requireOn(seen, canAdminister)
  return seen.space
}

function ownedCollection(actor: Actor, found: PlacedCollection | undefined): PlacedCollection {
  const { collection, view } = requireCollection(actor, found)
  if (!view.isOrganizationAdmin) throw notOwned()
  return collection
}

function notOwned(): Failure {
  return new Failure('forbidden', 'Only an admin of the organization gives something to another one')
}

function requireOther(organization: string, target: string): void {
  if (organization === target) throw new Failure('conflict', 'It belongs to this organization already')
}

async function membersAmong({ people }: Context, organization: string, users: string[]): Promise<string[]> {
  const found: string[] = []
  for (let at = 0; at < users.length; at += mostUsers) {
    const { members } = await people.listMemberships({ body: { organization, users: users.slice(at, at + mostUsers) } })
    found.push(...members.map(({ user }) => user))
  }
  return found
}
