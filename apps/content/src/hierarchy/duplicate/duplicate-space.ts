import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canManage, capDefaultLevel, notAllowedInParent } from '../../access/access.policy.ts'
import * as grants from '../../access/grants.repository.ts'
import { userGrant } from '../../access/grants.rules.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { requireSamePlace, requireWritable } from '../kinds/resource-kind.ts'
import { spaceKind } from '../kinds/space-kind.ts'
import { lockEndPlacement } from '../placement/placement.ts'
import { getWithAcl } from '../spaces/readable-space.ts'
import {
  publishMainContentChanged,
  publishSpaceCreated,
  publishSpacePermissionChanged,
} from '../spaces/space-events.ts'
import type { SpaceWithAcl } from '../spaces/space.entity.ts'
import * as spaces from '../spaces/spaces.repository.ts'
import { copySpace } from './duplicate.rules.ts'

/** Copies a space to the end of its collection; the actor needs `create` on it and in the collection, and becomes admin of a closed copy. */
export async function duplicateSpace(tx: Transaction, actor: Actor, id: string): Promise<SpaceWithAcl> {
  const seen = requireWritable(spaceKind, { actor }, await spaces.findWithAcl(tx, id, actor))
  const { organizationId: organization, parent } = seen.resource
  if (parent !== null && !canManage(seen.access.parentRole)) throw notAllowedInParent()
  const { position } = await lockEndPlacement(tx, actor, { organization, parent })
  const { resource: source, role } = requireWritable(spaceKind, { actor }, await spaces.lockWithAcl(tx, id, actor))
  requireSamePlace(seen.resource, source, 'space')
  const content = await revisions.find(tx, source.revision)
  if (!content) throw new Failure('conflict', 'The space is deleted')
  const defaultLevel = capDefaultLevel(role, source.defaultLevel)
  const createdBy = actor.userId
  const { space, revision } = copySpace(source, { revision: content, createdBy, parent, position, defaultLevel })
  await revisions.insert(tx, revision)
  await spaces.insert(tx, space)
  await publishSpaceCreated(tx, actor, space)
  await publishMainContentChanged(tx, { space: space.id, from: null, to: revision.id })
  if (space.defaultLevel === null) {
    await grants.grantAtLeast(tx, userGrant('space', space, { user: createdBy, role: 'admin' }))
    const changed = { users: [createdBy], teams: [], defaultLevel: false }
    await publishSpacePermissionChanged(tx, actor, { id: space.id, organizationId: organization, ...changed })
  }
  return getWithAcl(tx, space.id, actor)
}
