import { visitorSessionPrefix } from '@recto/contracts-publishing'
import { sealerFor } from '@recto/database'
import type { Secrets } from '@recto/operation'
import { createHash, randomBytes } from 'node:crypto'
import type { VisitorSessionRow } from './visitor-session.entity.ts'

/** All of a session that only its visitor, and the provider, may know. */
export type SessionContent = ProviderSession | MemberSession

/** A session that a provider has begun. */
export interface ProviderSession {
  claims: Record<string, unknown>
  idToken: string
}

/** A session of a member: it ends with that at identity, which says who they are at each lookup. */
export interface MemberSession {
  memberSession: string
}

const sealer = sealerFor('recto sessions of visitors')

/** Makes the token of a session, of which the hash alone is stored. */
export function newSessionToken(): string {
  return visitorSessionPrefix + randomBytes(32).toString('base64url')
}

/** Whether a token has the form of the token of a session: no JWT has it. */
export function looksLikeSessionToken(token: string): boolean {
  return token.startsWith(visitorSessionPrefix)
}

/** Hash of a user or session at a provider: two of one name are never the same. */
export function hashOf(kind: 'user' | 'session', name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('base64url')
}

/** Encrypts the content of a session for storage, for this session only. */
export function sealContent(content: SessionContent, tokenHash: string, secrets: Secrets): Buffer {
  return sealer.seal(JSON.stringify(content), tokenHash, secrets)
}

/** Decrypts the content of a session; undefined where the secret that encrypted it is lost: the session has ended, then. */
export function openContent(
  { content, tokenHash }: Pick<VisitorSessionRow, 'content' | 'tokenHash'>,
  secrets: Secrets,
): SessionContent | undefined {
  try {
    return JSON.parse(sealer.unseal(content, tokenHash, secrets)) as SessionContent
  } catch {
    return undefined
  }
}
