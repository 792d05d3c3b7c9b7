import type { Context } from '../../shared/context.ts'
import { requireView, type SeenSpace } from './spaces.policy.ts'
import * as spaces from './spaces.repository.ts'

/** A space that the caller sees, with their role on it; what they may not see does not exist for them. */
export async function seenSpace(context: Context, spaceId: string): Promise<SeenSpace> {
  const { actor } = context
  return requireView(actor, await spaces.findFor(context.db, spaceId, actor))
}
