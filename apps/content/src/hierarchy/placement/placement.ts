import type { Db } from '@recto/database'
import type { Actor, Role } from '@recto/actor'
import { canAdministerOrganization, requireManage, requireMember, type View } from '../../access/access.policy.ts'
import { requireParent } from '../collections/collections.policy.ts'
import * as collections from '../collections/collections.repository.ts'
import { endOf, lockSiblings } from './ordering.repository.ts'

/** How somebody sees a place where they may create. */
export type ManagingView = View & { role: Role }

/** Where something new comes: behind its siblings, inheriting what is above it. */
export interface Place {
  parent: string | null
  position: string
  /** How who creates it sees it. */
  view: ManagingView
}

/**
 * Finds the end of a collection, or of what is in none, for an actor who may create there. Neither the collection nor the order
 * of its siblings changes until the caller's transaction ends.
 */
export async function placeIn(
  db: Db,
  actor: Actor,
  { organization, parent = null }: { organization: string; parent: string | null | undefined },
): Promise<Place> {
  const view = await holdPlace(db, actor, { organization, parent })
  return { parent, position: await endOf(db, { organization, parent }), view }
}

/** The same without a position yet: how the actor sees what comes there, when they may create there. */
export async function holdPlace(
  db: Db,
  actor: Actor,
  { organization, parent }: { organization: string; parent: string | null },
): Promise<ManagingView> {
  const view = parent === null ? viewAtTop(actor, organization) : await viewInside(db, actor, { organization, parent })
  await lockSiblings(db, { organization, parent })
  return view
}

function viewAtTop(actor: Actor, organization: string): ManagingView {
  const { role } = requireMember(actor, organization)
  requireManage(role)
  return { role, parentRole: null, isOrganizationAdmin: canAdministerOrganization(actor, organization) }
}

async function viewInside(
  db: Db,
  actor: Actor,
  { organization, parent }: { organization: string; parent: string },
): Promise<ManagingView> {
  const { role, view } = requireParent(
    actor,
    organization,
    await collections.lockFor(db, parent, { actor, mode: 'share' }),
  )
  return { role, parentRole: role, isOrganizationAdmin: view.isOrganizationAdmin }
}
