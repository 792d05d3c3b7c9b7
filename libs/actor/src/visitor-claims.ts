import type { Secrets } from '@recto/operation'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Membership } from './actor.ts'
import { keysFor } from './derived-keys.ts'

const algorithm = 'HS256'
/** The type (RFC 8725, section 3.11) that tells these tokens from those of the login servers of sites. */
const type = 'visitor+jwt'
/** Lifetime of a claim set: a revoked role stays valid for no longer, and clients ping more often. */
const lifetimeSeconds = 3_600

const keysOf = (secrets: Secrets) => keysFor(secrets, 'recto visitor claims')

/** A member of an organization, as its published sites know them. */
export interface MemberClaims {
  /** The id of the user. */
  sub: string
  email: string
  name: string
  organization: string
  role: string
  /** Ids. */
  teams: string[]
}

/** Whom a claim set describes; `now` and `tokenExpiresAt`, the expiry of the caller's access token, are milliseconds since the epoch. */
export interface VisitorClaimsInput {
  member: { userId: string; email: string; displayName: string }
  membership: Membership
  publicUrl: string
  now: number
  tokenExpiresAt?: number | undefined
}

/** Signs a JWT (RFC 7519) that identifies a member to the published sites of their organization; it expires with the caller's token. */
export function signVisitorClaims(
  { member, membership, publicUrl, now, tokenExpiresAt = Infinity }: VisitorClaimsInput,
  signingSecret: Secrets,
): Promise<string> {
  const { organization, role, teams } = membership
  const issuedAt = Math.floor(now / 1000)
  return new SignJWT({ email: member.email, name: member.displayName, organization, role: role ?? 'guest', teams })
    .setProtectedHeader({ alg: algorithm, typ: type })
    .setIssuer(publicUrl)
    .setAudience(visitorAudience(publicUrl, organization))
    .setSubject(member.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(Math.min(issuedAt + lifetimeSeconds, Math.floor(tokenExpiresAt / 1000)))
    .sign(keysOf(signingSecret)[0])
}

/** Whether a token says that it is one of these, without verifying it. */
export function looksLikeVisitorClaims(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === type
  } catch {
    return false
  }
}

/** Verifies who a member is to the sites of an organization: `expired`, or undefined for a token that is forged, or for others. */
export async function verifyVisitorClaims(
  token: string,
  { organization, publicUrl }: { organization: string; publicUrl: string },
  signingSecret: Secrets,
): Promise<MemberClaims | 'expired' | undefined> {
  const audience = visitorAudience(publicUrl, organization)
  const expected = { algorithms: [algorithm], typ: type, issuer: publicUrl, audience, requiredClaims: ['sub', 'exp'] }
  for (const key of keysOf(signingSecret)) {
    try {
      const { payload } = await jwtVerify<Omit<MemberClaims, 'sub'>>(token, key, expected)
      return claimsIn(payload)
    } catch (error) {
      // Signed with another of the secrets.
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      if (error instanceof errors.JWTExpired) return 'expired'
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
  return undefined
}

function claimsIn(payload: Omit<MemberClaims, 'sub'> & JWTPayload): MemberClaims {
  const { sub = '', email, name, organization, role, teams } = payload
  return { sub, email, name, organization, role, teams }
}

/** The published sites of an organization. */
function visitorAudience(publicUrl: string, organization: string): string {
  return `${publicUrl}/v1/orgs/${organization}/sites`
}
