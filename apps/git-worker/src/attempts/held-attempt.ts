import type { Attempt } from './attempts.ts'

/** An attempt as content knows it. */
export function heldAttempt(
  { operationId, lease, spaceId }: Pick<Attempt, 'operationId' | 'lease' | 'spaceId'>,
  { holdSeconds }: { holdSeconds: number },
) {
  return { operationId, lease, spaceId, holdSeconds }
}
