import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { capDefaultLevel, type DefaultLevel, requireManageParent } from '../access/access.policy.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { keepAccess } from '../resources/keep-access.ts'
import { requireSamePlace, requireWritable } from '../resources/resource-kind.ts'
import { spaceKind } from './space-kind.ts'
import { lockEndPlacement } from '../resources/placement.ts'
import { getWithAcl } from './readable-space.ts'
import { publishMainContentChanged, recordSpaceCreated } from './space-events.ts'
import type { SpaceRow, SpaceWithAcl } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'

/** The place of a space that is made from another one, and its default level. */
export interface CopyTarget {
  createdBy: string
  parent: string | null
  position: string
  defaultLevel: DefaultLevel
}

/** Makes a space and its first revision from another space and its main content. */
export type MakeCopy = (
  source: SpaceRow,
  target: CopyTarget & { revision: RevisionRow },
) => { space: SpaceRow; revision: RevisionRow }

/**
 * Adds a space that is made of another one at the end of its collection; the actor needs `create` on it and in the collection, and becomes
 * admin of one that is closed.
 */
export async function copyBeside(
  tx: Transaction,
  actor: Actor,
  { id, make }: { id: string; make: MakeCopy },
): Promise<SpaceWithAcl> {
  const seen = requireWritable(spaceKind, { actor }, await spaces.findWithAcl(tx, id, actor))
  const { organizationId: organization, parent } = seen.resource
  if (parent !== null) requireManageParent(actor, seen.access.parentRole)
  const { position } = await lockEndPlacement(tx, actor, { organization, parent })
  const { resource: source, role } = requireWritable(spaceKind, { actor }, await spaces.lockWithAcl(tx, id, actor))
  requireSamePlace(seen.resource, source, 'space')
  const content = await revisions.find(tx, source.revision)
  if (!content) throw new Failure('conflict', 'The space is deleted')
  const defaultLevel = capDefaultLevel(role, source.defaultLevel)
  const createdBy = actor.userId
  const { space, revision } = make(source, { revision: content, createdBy, parent, position, defaultLevel })
  await revisions.insert(tx, revision)
  await spaces.insert(tx, space)
  recordSpaceCreated(tx, space)
  await publishMainContentChanged(tx, space, { from: null, to: revision.id })
  const grant = space.defaultLevel === null ? { user: createdBy, role: 'admin' as const } : undefined
  await keepAccess(tx, spaceKind, { resource: space, grant, isDefaultLevelChanged: false })
  return getWithAcl(tx, space.id, actor)
}
