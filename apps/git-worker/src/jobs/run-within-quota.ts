import type { OrganizationQuota } from './organization-quota.ts'
import type { GitRpc } from './lease.ts'
import type { JobOutcome } from './run-job.ts'

interface Job {
  operationId: string
  organizationId: string
}

/**
 * Runs a job when its organization has less than its share of the places. Otherwise the job goes back to content, which offers it to
 * the workers again: none stays in the queue, where it would be in front of those of others.
 */
export async function runWithinQuota(
  { rpc, places }: { rpc: Pick<GitRpc, 'returnGitOperation'>; places: OrganizationQuota },
  { operationId, organizationId }: Job,
  run: () => Promise<JobOutcome>,
): Promise<JobOutcome> {
  const release = places.take(organizationId)
  if (!release) {
    await rpc.returnGitOperation({ body: { operationId } })
    return 'done'
  }
  try {
    return await run()
  } finally {
    release()
  }
}
