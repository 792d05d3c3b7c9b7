import type { Actor } from '@recto/actor'
import type { ConvertedSet } from '@recto/convert'
import type { Transaction } from '@recto/database'
import { lockEndPlacement, type ManagingAccess } from '../resources/placement.ts'
import { publishSpaceCreated } from './space-events.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { newSpace } from './spaces.rules.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { emptyRevision } from '../revisions/revisions.rules.ts'
import { fillSpace, fillWithComputed } from '../editing/add-content.ts'

type Settings = Omit<Parameters<typeof newSpace>[0], 'organizationId' | 'parent' | 'position' | 'createdBy'>

/** A space to create, with the pages it starts with, or what they are computed from. */
export interface NewSpace {
  organization: string
  parent?: string | undefined
  settings: Settings
  pages?: Pick<ConvertedSet, 'pages' | 'files'> | undefined
  computed?: Parameters<typeof fillWithComputed>[2] | undefined
}

/** Creates a space at the end of a collection or of the root of an organization. Throws when the actor may not create there. */
export async function createSpace(
  tx: Transaction,
  actor: Actor,
  { organization, parent, settings, pages, computed }: NewSpace,
): Promise<{ space: SpaceRow; access: ManagingAccess }> {
  const { access, ...place } = await lockEndPlacement(tx, actor, { organization, parent })
  const space = newSpace({ ...settings, ...place, organizationId: organization, createdBy: actor.userId })
  await revisions.insert(tx, emptyRevision({ id: space.revision, spaceId: space.id, createdBy: actor.userId }))
  await spaces.insert(tx, space)
  await publishSpaceCreated(tx, actor, space)
  if (computed) return { space: { ...space, revision: await fillWithComputed(tx, space, computed) }, access }
  if (pages) return { space: { ...space, revision: await fillSpace(tx, space, pages) }, access }
  return { space, access }
}
