import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canAdminister, capDefaultLevel, forbiddenAround, resolveDefaultLevel } from '../access/access.policy.ts'
import * as grants from '../access/grants.repository.ts'
import type { Context } from '../shared/context.ts'
import { keepAccess } from './keep-access.ts'
import { requireWritable, type Resource, type ResourceKind } from './resource-kind.ts'
import { type ManagingAccess, lockEndPlacement } from './placement.ts'
import { lockSubtree, lockTree } from './collection-subtree.repository.ts'
import * as repository from './transfer.repository.ts'
import type { TransferSet } from './transfer.repository.ts'
import { batches } from '../lists/batches.ts'

/** Users of one call of identity. */
const userBatch = 1000

/**
 * Transfers a space, or a collection with everything in it, to the root of another organization, and returns it.
 * Grants of users who are in that organization too are kept, all others deleted; nothing is left above the actor's role there.
 * Throws `forbidden` unless the actor is an admin of the organization and may create in the other one.
 */
export async function transferResource<Row extends Resource>(
  context: Context,
  kind: ResourceKind<Row>,
  { id, organization: target }: { id: string; organization: string },
): Promise<Row> {
  const { actor } = context
  const { organizationId: from } = requireOwned(kind, actor, await kind.find(context.db, id, actor))
  requireOther(from, target)
  const unlocked = kind.isContainer ? await repository.transferSetOf(context.db, id) : { spaces: [id], collections: [] }
  const users = await membersAmong(context, target, await grants.listUsersWithGrants(context.db, unlocked))
  return context.transaction(async tx => {
    if (kind.isContainer) await lockTree(tx, from)
    const { position, access } = await lockEndPlacement(tx, actor, { organization: target, parent: null })
    const collections = kind.isContainer ? await lockSubtree(tx, id) : []
    const before = requireOwned(kind, actor, await kind.lock(tx, id, actor))
    requireOther(before.organizationId, target)
    // The locked tree is that of the organization read first.
    if (kind.isContainer && before.organizationId !== from)
      throw new Failure('conflict', `The ${kind.type} has just been transferred`)
    const spaces = kind.isContainer ? await repository.lockSpacesIn(tx, collections) : [id]
    const set = { spaces, collections }
    await requireUnpublished(tx, spaces)
    await repository.reassignOrganization(tx, set, target)
    await grants.reassignGrants(tx, set, { organization: target, users })
    await kind.publishTransferred(tx, actor, { id, organizationId: target, from: before.organizationId, spaces })
    await placeAtNewRoot(tx, kind, { before, set, target, actor, position, access })
    return (await kind.find(tx, id, actor)) ?? before
  })
}

interface Transferred<Row> {
  before: Row
  set: TransferSet
  target: string
  actor: Actor
  position: string
  access: ManagingAccess
}

/**
 * Places a transferred resource at the root and adjusts its permissions. An inherited default level is fixed, so that the transfer
 * grants no new access; all roles are capped at the actor's role in the new organization; an actor who would lose access is granted it.
 */
async function placeAtNewRoot<Row extends Resource>(
  tx: Transaction,
  kind: ResourceKind<Row>,
  { before, set, target, actor, position, access }: Transferred<Row>,
): Promise<void> {
  const defaultLevel = capDefaultLevel(access.role, resolveDefaultLevel(before))
  await grants.capGrants(tx, set, access.role)
  await repository.capDefaultLevels(tx, set, access.role)
  await repository.placeAtRoot(tx, before, { position, defaultLevel })
  const isShutOut = defaultLevel === null && !access.isOrganizationAdmin
  const grant = isShutOut ? { user: actor.userId, role: access.role } : undefined
  const isDefaultLevelChanged = defaultLevel !== before.defaultLevel
  await keepAccess(tx, kind, { resource: { id: before.id, organizationId: target }, grant, isDefaultLevelChanged })
}

/** Requires an organization admin: the transfer of a collection includes resources that are hidden from everybody else. */
function requireOwned<Row extends Resource>(kind: ResourceKind<Row>, actor: Actor, row: Row | undefined): Row {
  const { access } = kind.requireRead(actor, row)
  if (!access.isOrganizationAdmin) {
    const byRole = new Failure('forbidden', 'Only an admin of the organization can transfer something to another one')
    throw forbiddenAround(actor, byRole)
  }
  return requireWritable(kind, { actor, can: canAdminister }, row).resource
}

/** Throws `precondition_failed` when a site publishes one of the spaces: its visitors would lose it, or read another organization. */
async function requireUnpublished(tx: Transaction, spaces: string[]): Promise<void> {
  if (await repository.isAnyPublished(tx, spaces))
    throw new Failure('precondition_failed', 'A site publishes it: take it off the site, or unpublish the site, first')
}

function requireOther(organization: string, target: string): void {
  if (organization === target) throw new Failure('conflict', 'It belongs to this organization already')
}

async function membersAmong({ people }: Context, organization: string, users: string[]): Promise<string[]> {
  const members: string[] = []
  for (const batch of batches(users, userBatch)) {
    const reply = await people.listMemberships({ body: { organization, users: batch } })
    members.push(...reply.members.map(({ user }) => user))
  }
  return members
}
