import { recordOutcome } from './apply-outcome.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt, Preparation } from './attempts.ts'
import { heldAttempt } from './held-attempt.ts'

/** Gets the files and documents that an import need not upload; undefined when an earlier attempt was applied. */
export async function prepareImport(attempt: Attempt, tools: AttemptTools): Promise<Preparation | undefined> {
  const body = heldAttempt(attempt, tools)
  const { space, known, applied } = await tools.content.listKnownGitBlobs({ body })
  if (!applied) return { organizationId: space.organizationId, known }
  await recordOutcome(attempt, { outcome: applied, space }, tools)
  return undefined
}
