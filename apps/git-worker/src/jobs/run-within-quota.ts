import type { Attempts } from '../attempts/attempts.ts'
import type { OrganizationQuota } from './organization-quota.ts'
import type { JobOutcome } from './run-job.ts'

interface Job {
  operationId: string
  organizationId: string
}

/**
 * Runs a job when its organization has less than its share of the places. Otherwise it goes back to the queue, which offers it to
 * the workers again: none stays in the stream, where it would be in front of those of others.
 */
export async function runWithinQuota(
  { attempts, places }: { attempts: Pick<Attempts, 'giveBack'>; places: OrganizationQuota },
  { operationId, organizationId }: Job,
  run: () => Promise<JobOutcome>,
): Promise<JobOutcome> {
  const release = places.take(organizationId)
  if (!release) {
    await attempts.giveBack(operationId)
    return 'done'
  }
  try {
    return await run()
  } finally {
    release()
  }
}
