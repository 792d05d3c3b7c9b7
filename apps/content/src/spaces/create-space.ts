import type { Actor } from '@recto/actor'
import type { Transaction } from '@recto/database'
import { lockEndPlacement, type ManagingAccess } from '../resources/placement.ts'
import { recordSpaceCreated } from './space-events.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { newSpace } from './spaces.rules.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { emptyRevision } from '../revisions/revisions.rules.ts'

type Settings = Omit<Parameters<typeof newSpace>[0], 'organizationId' | 'parent' | 'position' | 'createdBy'>

/** A space to create. */
export interface NewSpace {
  organization: string
  parent?: string | undefined
  settings: Settings
  /** Writes the pages it starts with, and resolves to the id of that revision; without it the space is empty. */
  fill?: ((tx: Transaction, space: SpaceRow) => Promise<string>) | undefined
}

/** Creates a space at the end of a collection or of the root of an organization. Throws when the actor may not create there. */
export async function createSpace(
  tx: Transaction,
  actor: Actor,
  { organization, parent, settings, fill }: NewSpace,
): Promise<{ space: SpaceRow; access: ManagingAccess }> {
  const { access, ...place } = await lockEndPlacement(tx, actor, { organization, parent })
  const space = newSpace({ ...settings, ...place, organizationId: organization, createdBy: actor.userId })
  await revisions.insert(tx, emptyRevision({ id: space.revision, spaceId: space.id, createdBy: actor.userId }))
  await spaces.insert(tx, space)
  recordSpaceCreated(tx, space)
  return { space: fill ? { ...space, revision: await fill(tx, space) } : space, access }
}
