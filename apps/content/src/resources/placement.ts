import type { Db } from '@recto/database'
import { requireMember, type Actor, type Role } from '@recto/actor'
import { limitForbids } from '@recto/operation'
import { canAdministerOrganization, type EffectiveAccess, requireManage } from '../access/access.policy.ts'
import * as collections from './collections.repository.ts'
import type { Placement } from './collection-subtree.repository.ts'
import { requireParent } from './placement.policy.ts'
import { lockSiblings, positionAtEnd } from './ordering.repository.ts'

/** The access of an actor in a place where they may create. */
export type ManagingAccess = EffectiveAccess & { role: Role }

/**
 * The placement at the end of a collection, or of the root of an organization, with the actor's access to what is put there. Locks
 * the collection and the order of its children until the transaction ends. Throws when the actor may not create there.
 */
export async function lockEndPlacement(
  db: Db,
  actor: Actor,
  { organization, parent = null }: { organization: string; parent: string | null | undefined },
): Promise<Placement & { access: ManagingAccess }> {
  const access = await lockPlacement(db, actor, { organization, parent })
  return { parent, position: await positionAtEnd(db, { organization, parent }), access }
}

/** Locks a place as `placeAtEnd` does, without choosing a position, and returns the actor's access to what is put there. */
export async function lockPlacement(
  db: Db,
  actor: Actor,
  { organization, parent }: { organization: string; parent: string | null },
): Promise<ManagingAccess> {
  const access =
    parent === null ? accessAtRoot(actor, organization) : await accessInside(db, actor, { organization, parent })
  await lockSiblings(db, { organization, parent })
  return access
}

function accessAtRoot(actor: Actor, organization: string): ManagingAccess {
  const { role } = requireMember(actor, organization)
  if (actor.limitedTo) throw limitForbids()
  requireManage(role)
  return { role, parentRole: null, isOrganizationAdmin: canAdministerOrganization(actor, organization) }
}

async function accessInside(
  db: Db,
  actor: Actor,
  { organization, parent }: { organization: string; parent: string },
): Promise<ManagingAccess> {
  const { role, access } = requireParent(
    actor,
    organization,
    await collections.lockWithAcl(db, parent, { actor, mode: 'share' }),
  )
  return { role, parentRole: role, isOrganizationAdmin: access.isOrganizationAdmin }
}
