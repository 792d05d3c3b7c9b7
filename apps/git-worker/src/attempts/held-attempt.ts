import type { Attempt } from './attempts.ts'

/** The fields by which calls of content name an attempt. */
export function heldAttempt(
  { operationId, lease, spaceId }: Pick<Attempt, 'operationId' | 'lease' | 'spaceId'>,
  { holdSeconds }: { holdSeconds: number },
) {
  return { operationId, lease, spaceId, holdSeconds }
}
