import type { hostnames } from '@recto/contracts-publishing'
import type { Output } from '@recto/operation'
import type { CustomHostnameRow, ProofFault } from './custom-hostname.entity.ts'
import { proofRecord } from './hostname-proof.rules.ts'

type Presented = Output<typeof hostnames.getCustomHostname>

const statuses: Record<ProofFault, NonNullable<Presented['status']>> = {
  missing: 'dns_no_cname',
  different: 'dns_wrong_cname',
  taken: 'dns_wrong_cname',
  unreachable: 'internal_error',
}

/** A claim to a hostname as the API shows it. */
export function presentHostname(claim: CustomHostnameRow, publicUrl: string): Presented {
  const { hostname, siteId, state, fault, checkedAt } = claim
  return {
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site: siteId },
    isActive: state !== 'pending',
    ...(checkedAt !== null && { status: fault === null ? 'dns_passed' : statuses[fault] }),
    proof: {
      type: 'TXT',
      ...proofRecord(claim),
      state,
      ...(fault !== null && { reason: fault }),
      ...(checkedAt !== null && { checkedAt: checkedAt.toISOString() }),
    },
    urls: { location: `${publicUrl}/v1/custom-hostnames/${hostname}` },
  }
}
