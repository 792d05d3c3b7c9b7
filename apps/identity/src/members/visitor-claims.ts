import { hkdfSync } from 'node:crypto'
import type { Membership } from '@recto/actor'
import { SignJWT } from 'jose'
import type { MemberView } from './members.repository.ts'

const algorithm = 'HS256'
/** Lifetime of a claim set: a revoked role stays valid for no longer, and clients ping more often. */
const lifetimeSeconds = 3_600

/** Whom a claim set describes; `now` and `tokenExpiresAt`, the expiry of the caller's access token, are milliseconds since the epoch. */
export interface VisitorClaimsInput {
  member: Pick<MemberView, 'userId' | 'email' | 'displayName'>
  membership: Membership
  publicUrl: string
  key: Uint8Array
  now: number
  tokenExpiresAt?: number | undefined
}

/** Derives the key that signs visitor claims (HKDF, RFC 5869), so that they are valid nowhere else the secret is used. */
export function visitorKey(signingSecret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', signingSecret, '', 'recto visitor claims', 32))
}

/** The audience of visitor claims: the published sites of an organization. */
export function visitorAudience(publicUrl: string, organization: string): string {
  return `${publicUrl}/v1/orgs/${organization}/sites`
}

/** Signs a JWT (RFC 7519) that identifies a member to the published sites of their organization; it expires with the caller's token. */
export function visitorClaims({
  member,
  membership,
  publicUrl,
  key,
  now,
  tokenExpiresAt = Infinity,
}: VisitorClaimsInput): Promise<string> {
  const { organization, role, teams } = membership
  const issuedAt = Math.floor(now / 1000)
  return new SignJWT({ email: member.email, name: member.displayName, organization, role: role ?? 'guest', teams })
    .setProtectedHeader({ alg: algorithm, typ: 'visitor+jwt' })
    .setIssuer(publicUrl)
    .setAudience(visitorAudience(publicUrl, organization))
    .setSubject(member.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(Math.min(issuedAt + lifetimeSeconds, Math.floor(tokenExpiresAt / 1000)))
    .sign(key)
}
