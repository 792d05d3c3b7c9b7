import { hkdfSync } from 'node:crypto'
import type { Membership } from '@recto/actor'
import { SignJWT } from 'jose'
import type { MemberView } from './members.repository.ts'

const algorithm = 'HS256'
/** Seconds that claims hold: a role that is taken counts for no longer, and clients ping more often. */
const lifetime = 3_600

/** What a claim set is made of: whom it describes, and when the token ends that they ask with, milliseconds since the epoch. */
export interface Described {
  member: Pick<MemberView, 'userId' | 'email' | 'displayName'>
  membership: Membership
  publicUrl: string
  key: Uint8Array
  now: number
  tokenEnds?: number | undefined
}

/** The key that claims are signed with, of nothing else: what it signs is worth nothing where the secret signs something too. */
export function visitorKey(signingSecret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', signingSecret, '', 'recto visitor claims', 32))
}

/** For whom claims are: the published sites of an organization. */
export function visitorAudience(publicUrl: string, organization: string): string {
  return `${publicUrl}/v1/orgs/${organization}/sites`
}

/** A JWT (RFC 7519) that says who a member is to the published sites of their organization. */
export function visitorClaims({
  member,
  membership,
  publicUrl,
  key,
  now,
  tokenEnds = Infinity,
}: Described): Promise<string> {
  const { organization, role, teams } = membership
  const issuedAt = Math.floor(now / 1000)
  return new SignJWT({ email: member.email, name: member.displayName, organization, role: role ?? 'guest', teams })
    .setProtectedHeader({ alg: algorithm, typ: 'visitor+jwt' })
    .setIssuer(publicUrl)
    .setAudience(visitorAudience(publicUrl, organization))
    .setSubject(member.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(Math.min(issuedAt + lifetime, Math.floor(tokenEnds / 1000)))
    .sign(key)
}
