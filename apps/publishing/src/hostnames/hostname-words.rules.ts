import type { CustomHostnameRow, ProofFault } from './custom-hostname.entity.ts'
import { proofRecord } from './hostname-proof.rules.ts'

type Claim = Pick<CustomHostnameRow, 'hostname' | 'token' | 'fault' | 'checkedAt'>

/**
 * The status of a claim in the words of the published API; undefined where it has none. Its words for a record that is missing are of
 * `CNAME` records, and whoever reads them creates the wrong one.
 */
export function statusOf({ fault, checkedAt }: Claim): 'dns_passed' | 'internal_error' | undefined {
  if (checkedAt === null) return undefined
  if (fault === null) return 'dns_passed'
  return fault === 'unreachable' ? 'internal_error' : undefined
}

/** A sentence that says why a claim is not proven; undefined where nothing is wrong. */
export function messageOf(claim: Claim): string | undefined {
  const { name, value } = proofRecord(claim)
  const sentences: Record<ProofFault, string> = {
    missing: `There is no TXT record with the value ${value} at ${name}.`,
    different: `The TXT record at ${name} is that of another claim: add one with the value ${value}.`,
    unreachable: `The DNS does not say which TXT records are at ${name}; it is asked again.`,
    taken: `Another organization has proven ${claim.hostname}, and its TXT record is still at ${name}.`,
  }
  return claim.fault === null ? undefined : sentences[claim.fault]
}
