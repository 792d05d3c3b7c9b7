import { createHash } from 'node:crypto'
import type { Secrets } from '@recto/operation'
import { errors, jwtVerify, type JWTPayload, SignJWT } from 'jose'
import type { Actor, Visitor } from './actor.ts'
import { keysFor, type Keys } from './derived-keys.ts'

export type { Keys } from './derived-keys.ts'

const algorithm = 'HS256'
/** Tokens for the same visitor are identical for so long, milliseconds: readers keep what they read by its token. */
export const visitorTokenWindow = 10 * 60 * 1000
/** A reader refuses a token that expires within 120 seconds, so one lives longer than its window. */
const afterWindow = 5 * 60 * 1000

/** Milliseconds that a token is valid at most. */
export const maxVisitorTokenLength = visitorTokenWindow + afterWindow

/** The place that the lookup which issued a token led to. */
export interface VisitorPlace {
  siteSpace: string
  siteSection?: string | undefined
  space: string
}

/** Derives the keys of visitor tokens (HKDF, RFC 5869), so that they are valid nowhere else the secrets are used. */
export function visitorTokenKeys(signingSecret: Secrets): Keys {
  return keysFor(signingSecret, 'recto visitor tokens')
}

/**
 * Signs the token of a visitor, a JWT (RFC 7519); the same input gives the same token within a window. `now` is milliseconds since the
 * epoch. Where `since` of the visitor is within the window, nothing that was shown before is theirs.
 */
export function signVisitorToken(
  { visitor, place, now }: { visitor: Visitor; place: VisitorPlace; now: number },
  [key]: Keys,
): Promise<string> {
  const start = now - (now % visitorTokenWindow)
  const { claims, since = start, ...rest } = visitor
  return new SignJWT({ kind: 'site', ...rest, ...place, ...(since > start && { since }), claims })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuedAt(start / 1000)
    .setExpirationTime((start + visitorTokenWindow + afterWindow) / 1000)
    .sign(key)
}

/** Whether a bearer token has the form of a visitor token. */
export function looksLikeVisitorToken(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

/** A verified token: who it makes the caller, and when it expires, milliseconds since the epoch. */
export interface VerifiedVisitor {
  actor: Actor & { visitor: Visitor }
  tokenId: string
  expiresAt: number
}

/** Verifies the token of a visitor; undefined for one that is expired, forged or of another kind. */
export async function verifyVisitorToken(token: string, keys: Keys): Promise<VerifiedVisitor | undefined> {
  const payload = await verify<Visitor>(token, { keys, kind: 'site' })
  if (payload?.exp === undefined || payload.iat === undefined) return undefined
  const { organization, site, version, spaces, claims, ...options } = payload
  const { showsGit, excludesAgents, previews, showsDrafts, member, changeRequest, revision } = options
  const visibility = { showsGit, excludesAgents, previews, showsDrafts, member, changeRequest, revision }
  const since = options.since ?? payload.iat * 1000
  const visitor = { organization, site, version, since, spaces, claims, ...visibility }
  const expiresAt = payload.exp * 1000
  return { actor: visitorActor(visitor, expiresAt), tokenId: tokenIdOf(visitor, token), expiresAt }
}

/** The payload of a signed JWT; undefined for one that is expired, forged or of another kind. */
async function verify<Payload extends object>(
  token: string,
  { keys, kind }: { keys: Keys; kind: string },
): Promise<(Payload & JWTPayload) | undefined> {
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify<Payload & { kind: string }>(token, key, { algorithms: [algorithm] })
      return payload.kind === kind ? payload : undefined
    } catch (error) {
      // Signed with another of the keys.
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
  return undefined
}

/** The actor that a visitor is: no user, with no membership, so that nothing but what their site shows is theirs to read. */
export function visitorActor(visitor: Visitor, expiresAt?: number): VerifiedVisitor['actor'] {
  const nobody = { userId: '', platformAdmin: false, scopes: [], memberships: [] }
  return { ...nobody, kind: 'visitor', visitor, expiresAt }
}

function tokenIdOf({ site }: Visitor, token: string): string {
  return `${site}:${createHash('sha256').update(token).digest('base64url').slice(0, 16)}`
}

/** The preview of a site that is not published, for somebody who may read it. */
export interface Preview {
  site: string
  /** Who previews it: what they may read is asked at each lookup. */
  user: string
  /** The claims of the visitor as whom they see it. */
  claims: Record<string, unknown>
  /** Whether they see what is not live yet. */
  showsDrafts: boolean
  /** Whether they see comments, with their rights of the moment. */
  showsComments: boolean
}

/** Seconds for which the address of a preview is valid. */
const previewLifetime = 3_600

const previewPurpose = 'recto previews of sites'

/** Signs the token in the address of a preview, a JWT (RFC 7519) that is valid for an hour and opens nothing but lookups. */
export function signPreview(
  { site, user, claims, showsDrafts, showsComments }: Preview,
  signingSecret: Secrets,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ kind: 'preview', site, user, claims, showsDrafts, showsComments })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + previewLifetime)
    .sign(keysFor(signingSecret, previewPurpose)[0])
}

/** Verifies the token of a preview; undefined for one that is expired or forged. */
export async function verifyPreview(token: string, signingSecret: Secrets): Promise<Preview | undefined> {
  const payload = await verify<Preview>(token, { keys: keysFor(signingSecret, previewPurpose), kind: 'preview' })
  if (!payload) return undefined
  const { site, user, claims, showsDrafts, showsComments } = payload
  // Addresses from before had no drafts, and no comments.
  return { site, user, claims, showsDrafts: showsDrafts === true, showsComments: showsComments === true }
}
