import { createHash } from 'node:crypto'
import type { Secrets } from '@recto/operation'
import { errors, jwtVerify, SignJWT } from 'jose'
import { keysFor } from './derived-keys.ts'

const algorithm = 'HS256'
/** The type (RFC 8725, section 3.11) that tells these tokens from others of the installation. */
const type = 'visit+jwt'

const keysOf = (secrets: Secrets) => keysFor(secrets, 'recto visits of members')

/** The path of the authorization server at which members sign in for a site. */
export const visitPath = '/oauth/visits'

/** The wish of a browser to read a site as a member of its organization: publishing signs it, identity answers it. */
export interface VisitRequest {
  organization: string
  site: string
  title: string
  /** Where the browser is sent back to, at an address of the site. */
  redirectUri: string
  /** Comes back as it is. */
  state: string
  /** The code challenge (RFC 7636, S256). */
  challenge: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** The code challenge of a verifier (RFC 7636, S256). */
export function visitChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Signs a request, so that nobody else says where browsers are sent to. */
export function signVisitRequest(request: VisitRequest, publicUrl: string, secrets: Secrets): Promise<string> {
  return new SignJWT({ ...request })
    .setProtectedHeader({ alg: algorithm, typ: type })
    .setAudience(`${publicUrl}${visitPath}`)
    .sign(keysOf(secrets)[0])
}

/** Verifies a request; undefined for one that is forged. One that has expired still says which site it was for. */
export async function verifyVisitRequest(
  token: string,
  publicUrl: string,
  secrets: Secrets,
): Promise<(VisitRequest & { isExpired: boolean }) | undefined> {
  const expected = { algorithms: [algorithm], typ: type, audience: `${publicUrl}${visitPath}` }
  for (const key of keysOf(secrets)) {
    try {
      const { payload } = await jwtVerify<VisitRequest>(token, key, expected)
      const { organization, site, title, redirectUri, state, challenge, expiresAt } = payload
      const request = { organization, site, title, redirectUri, state, challenge, expiresAt }
      return { ...request, isExpired: expiresAt <= Date.now() }
    } catch (error) {
      // Signed with another of the secrets.
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
  return undefined
}
