import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { canManage, canView, requireManage, resolveAccess } from '../access/access.policy.ts'
import { publishSpaceDeleted } from './space-events.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { markSpaceDeleted } from '../resources/trash.repository.ts'

/** Deletes a space. Does nothing when the actor may not read it or it is deleted already; throws `forbidden` when they may not manage it. */
export async function deleteSpace(tx: Transaction, actor: Actor, id: string): Promise<void> {
  const space = await spaces.lockWithAcl(tx, id, actor)
  const access = space && resolveAccess(actor, space)
  if (!space || !access || !canView(access.role) || (space.deletedAt && !canManage(access.role))) return
  requireManage(access.role)
  if (space.deletedAt) return
  await markSpaceDeleted(tx, id, new Date())
  await publishSpaceDeleted(tx, actor, space)
}
