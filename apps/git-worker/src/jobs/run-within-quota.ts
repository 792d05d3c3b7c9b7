import type { Attempts } from '../attempts/attempts.ts'
import type { OrganizationQuota } from './organization-quota.ts'
import type { JobOutcome } from './run-job.ts'

interface Job {
  operationId: string
  organizationId: string
}

/**
 * Runs a job when its organization has less than its share of the slots. Otherwise it is queued again: a job that stayed in the stream
 * would delay those of other organizations.
 */
export async function runWithinQuota(
  { attempts, quota }: { attempts: Pick<Attempts, 'requeue'>; quota: OrganizationQuota },
  { operationId, organizationId }: Job,
  run: () => Promise<JobOutcome>,
): Promise<JobOutcome> {
  const release = quota.take(organizationId)
  if (!release) {
    await attempts.requeue(operationId)
    return 'done'
  }
  try {
    return await run()
  } finally {
    release()
  }
}
