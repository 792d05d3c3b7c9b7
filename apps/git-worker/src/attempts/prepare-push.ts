import type { RecordedFolder } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { recordOutcome } from './apply-outcome.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt, Preparation } from './attempts.ts'
import { heldAttempt } from './held-attempt.ts'

/** Finds the pack of a push; undefined when an earlier attempt was applied, or the operation is gone. */
export async function preparePush(
  attempt: Attempt,
  { upload }: Pick<RecordedFolder, 'upload'>,
  tools: AttemptTools,
): Promise<Preparation | undefined> {
  const operation = await operations.find(tools.db, attempt.operationId)
  if (!operation) return undefined
  const body = { ...heldAttempt(attempt, tools), upload, createdBy: operation.createdBy }
  const { space, known, pack, applied } = await tools.content.openPush({ body })
  if (!applied) return { organizationId: space.organizationId, known, ...(pack !== undefined && { pack }) }
  await recordOutcome(attempt, { outcome: applied, space }, tools)
  return undefined
}
