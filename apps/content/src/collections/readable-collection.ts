import type { Context } from '../shared/context.ts'
import { type ReadableCollection, requireReadCollection } from './collections.policy.ts'
import * as repository from '../resources/collections.repository.ts'

/** Reads a collection with the caller's access to it; throws `not_found` when it is missing, or the caller may not read it. */
export async function readableCollection(context: Context, id: string): Promise<ReadableCollection> {
  const { actor } = context
  return requireReadCollection(actor, await repository.findWithAcl(context.db, id, actor))
}
