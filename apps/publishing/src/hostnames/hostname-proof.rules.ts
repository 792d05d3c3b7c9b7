import type { CustomHostnameRow, ProofFault } from './custom-hostname.entity.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Milliseconds for which a proven hostname may lack its record, as while DNS is moved to another provider. */
export const maxFailing = 3 * day

/** The name of the TXT record that proves a hostname, and what it has to say. */
export function proofRecord({ hostname, token }: { hostname: string; token: string }): { name: string; value: string } {
  return { name: `_recto.${hostname}`, value: `recto-site-verification=${token}` }
}

/** The TXT records at a name; undefined while the DNS does not answer. */
export type TxtRecords = readonly string[] | undefined

/** The part of a claim that a check decides about. */
export type Claim = Pick<CustomHostnameRow, 'hostname' | 'token' | 'state' | 'failingSince' | 'createdAt'>

/** The columns of a claim that a check writes. */
export type CheckedClaim = Pick<CustomHostnameRow, 'state' | 'fault' | 'failingSince' | 'dueAt' | 'checkedAt'>

/**
 * A claim after a check. Another organization that is shown at the hostname keeps it while its own record is there; trust without a record
 * ends when somebody proves the hostname.
 *
 * | before  | records                    | other organization's record | after                             | next check                         |
 * | ------- | -------------------------- | --------------------------- | --------------------------------- | ---------------------------------- |
 * | pending | with the token             | missing, or no other        | proven                            | a day later                        |
 * | pending | with the token             | there                       | pending: taken                    | by its age                         |
 * | pending | without it, or none        |                             | pending: different, or missing    | a tenth of its age, a day at most  |
 * | proven  | with the token             |                             | proven                            | a day later                        |
 * | proven  | without it for three days  |                             | pending: different, or missing    | by its age                         |
 * | proven  | without it since less      |                             | proven, failing                   | an hour later                      |
 * | trusted | with the token             |                             | proven                            | a day later                        |
 * | trusted | without it, or no answer   |                             | trusted                           | never                              |
 * | others  | the DNS does not answer    |                             | as before: unreachable            | an hour later at most              |
 */
export function checkClaim(
  claim: Claim,
  { records, other, now }: { records: TxtRecords; other: Pick<Claim, 'hostname' | 'token'> | undefined; now: Date },
): CheckedClaim {
  const { state, failingSince } = claim
  const checkedAt = now
  const after = (ms: number) => new Date(now.getTime() + ms)
  const byAge = Math.min(day, Math.max(minute, (now.getTime() - claim.createdAt.getTime()) / 10))
  const fault = faultOf(claim, records, other)
  if (fault === undefined) return { state: 'proven', fault: null, failingSince: null, checkedAt, dueAt: after(day) }
  if (state === 'trusted') return { state, fault, failingSince: null, checkedAt, dueAt: null }
  if (fault === 'unreachable') return { state, fault, failingSince, checkedAt, dueAt: after(Math.min(byAge, hour)) }
  const since = failingSince ?? now
  if (state === 'proven' && now.getTime() - since.getTime() < maxFailing)
    return { state, fault, failingSince: since, checkedAt, dueAt: after(hour) }
  return { state: 'pending', fault, failingSince: null, checkedAt, dueAt: after(byAge) }
}

function faultOf(
  claim: Claim,
  records: TxtRecords,
  other: Pick<Claim, 'hostname' | 'token'> | undefined,
): ProofFault | undefined {
  if (records === undefined) return 'unreachable'
  const has = (of: Pick<Claim, 'hostname' | 'token'>) => records.includes(proofRecord(of).value)
  if (!has(claim))
    return records.some(record => record.startsWith('recto-site-verification=')) ? 'different' : 'missing'
  return other && has(other) ? 'taken' : undefined
}
