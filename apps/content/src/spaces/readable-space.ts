import type { Db } from '@recto/database'
import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import type { SpaceWithAcl } from '../resources/space.entity.ts'
import { type ReadableSpace, requireRead } from './spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'

/** A space with the caller's access to it; throws `not_found` when it is missing, or they may not read it. */
export async function readableSpace(context: Context, spaceId: string): Promise<ReadableSpace> {
  const { actor } = context
  return requireRead(actor, await spaces.findWithAcl(context.db, spaceId, actor))
}

/** A space with its ACL, whether the actor may read it or not; throws `not_found` when it is missing. */
export async function getWithAcl(db: Db, id: string, actor: Actor): Promise<SpaceWithAcl> {
  const space = await spaces.findWithAcl(db, id, actor)
  if (!space) throw new Failure('not_found', 'There is no such space')
  return space
}
