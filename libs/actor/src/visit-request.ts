import { createHash } from 'node:crypto'
import type { Secrets } from '@recto/operation'
import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from 'jose'
import { keysFor } from './derived-keys.ts'

const keyManagement = 'dir'
const encryption = 'A256GCM'
/** The type (RFC 8725, section 3.11) that tells these tokens from others of the installation. */
const type = 'visit+jwt'

const keysOf = (secrets: Secrets) => keysFor(secrets, 'recto sealed visits of members')

/** The path of the authorization server at which members sign in for a site. */
export const visitPath = '/oauth/visits'

/** The path of the authorization server at which members sign out who came for a site. */
export const visitEndPath = `${visitPath}/end`

/** The wish of a browser to read a site as a member of its organization: publishing seals it, identity answers it. */
export interface VisitRequest {
  organization: string
  site: string
  /** The host at which the browser knows the site: who does not see it learns no title. */
  host: string
  /** Where the browser is sent back to, at an address of the site. */
  redirectUri: string
  /** Comes back as it is. */
  state: string
  /** The code challenge (RFC 7636, S256). */
  challenge: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** The wish of a browser to sign out, which came from a site: publishing seals it, identity answers it. */
export interface VisitEnd {
  /** The host of the site. */
  host: string
  /** Where the browser goes then. */
  returnTo: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** A request that was opened, and whether it has expired: it still says which site it was for. */
export type Opened<Request> = Request & { isExpired: boolean }

/** The code challenge of a verifier (RFC 7636, S256). */
export function visitChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Encrypts a request, so that nobody else says where browsers are sent to, and nobody reads what a site is that they do not see. */
export function sealVisitRequest(request: VisitRequest, publicUrl: string, secrets: Secrets): Promise<string> {
  return seal({ ...request }, `${publicUrl}${visitPath}`, secrets)
}

/** Opens a request; undefined for one that is forged, or encrypted with a secret that is lost. */
export async function openVisitRequest(
  token: string,
  publicUrl: string,
  secrets: Secrets,
): Promise<Opened<VisitRequest> | undefined> {
  const payload = await open<VisitRequest>(token, `${publicUrl}${visitPath}`, secrets)
  if (!payload) return undefined
  const { organization, site, host, redirectUri, state, challenge, expiresAt } = payload
  const request = { organization, site, host, redirectUri, state, challenge, expiresAt }
  return { ...request, isExpired: expiresAt <= Date.now() }
}

/** Encrypts a request to sign out, as `sealVisitRequest` does; it is no request to sign in. */
export function sealVisitEnd(request: VisitEnd, publicUrl: string, secrets: Secrets): Promise<string> {
  return seal({ ...request }, `${publicUrl}${visitEndPath}`, secrets)
}

/** Opens a request to sign out, as `openVisitRequest` does. */
export async function openVisitEnd(
  token: string,
  publicUrl: string,
  secrets: Secrets,
): Promise<Opened<VisitEnd> | undefined> {
  const payload = await open<VisitEnd>(token, `${publicUrl}${visitEndPath}`, secrets)
  if (!payload) return undefined
  const { host, returnTo, expiresAt } = payload
  return { host, returnTo, expiresAt, isExpired: expiresAt <= Date.now() }
}

function seal(content: JWTPayload, audience: string, secrets: Secrets): Promise<string> {
  return new EncryptJWT(content)
    .setProtectedHeader({ alg: keyManagement, enc: encryption, typ: type })
    .setAudience(audience)
    .encrypt(keysOf(secrets)[0])
}

async function open<Content>(
  token: string,
  audience: string,
  secrets: Secrets,
): Promise<(Content & JWTPayload) | undefined> {
  const algorithms = { keyManagementAlgorithms: [keyManagement], contentEncryptionAlgorithms: [encryption] }
  for (const key of keysOf(secrets)) {
    try {
      return (await jwtDecrypt<Content>(token, key, { ...algorithms, typ: type, audience })).payload
    } catch (error) {
      // Encrypted with another of the secrets.
      if (error instanceof errors.JWEDecryptionFailed) continue
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
  return undefined
}
