import type { hostnames } from '@recto/contracts-publishing'
import type { Output } from '@recto/operation'
import type { CustomHostnameRow } from './custom-hostname.entity.ts'
import { proofRecord } from './hostname-proof.rules.ts'
import { messageOf, statusOf } from './hostname-words.rules.ts'

type Presented = Output<typeof hostnames.getCustomHostname>

/** A claim to a hostname as the API shows it. */
export function presentHostname(claim: CustomHostnameRow, publicUrl: string): Presented {
  const { hostname, siteId, state, fault, checkedAt } = claim
  const status = statusOf(claim)
  const message = messageOf(claim)
  return {
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site: siteId },
    isActive: state !== 'pending',
    ...(status && { status }),
    proof: {
      type: 'TXT',
      ...proofRecord(claim),
      state,
      ...(fault !== null && { reason: fault }),
      ...(message !== undefined && { message }),
      ...(checkedAt !== null && { checkedAt: checkedAt.toISOString() }),
    },
    urls: { location: `${publicUrl}/v1/custom-hostnames/${hostname}` },
  }
}
