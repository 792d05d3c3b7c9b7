import { hashToken } from '@recto/actor'
import type { Db, Transaction } from '@recto/database'
import type { SessionContent } from '../visitor-sessions/session-content.ts'
import { hashOf, newSessionToken, sealContent } from '../visitor-sessions/session-content.ts'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { settingsChanged, signInEnded } from './sign-in-failures.ts'

/** Milliseconds for which a session lasts at most, however long the provider says: browsers keep its cookie for no longer. */
const maxSession = 7 * 24 * 3_600_000

/** A visitor who has signed in. */
export interface SignedInVisitor {
  siteId: string
  /** The user, and the session, at the provider, or at identity. */
  user: string
  session: string | undefined
  content: SessionContent
  /** When the user was signed in, and when the session ends, milliseconds since the epoch. */
  startedAt: number
  endsAt: number
  /** The session that the browser had before. */
  previous: string | undefined
}

/** The session of a visitor who signed in. */
export interface NewSession {
  token: string
  expiresAt: string
}

/** Begins the session of a visitor, unless the site, or a logout of the provider, has thought otherwise since they came back. */
export async function beginSession(
  { siteId, user, session, content, startedAt, endsAt, previous }: SignedInVisitor,
  isUnchanged: (tx: Db) => Promise<boolean>,
  { transaction, signingSecret }: Pick<BaseContext, 'transaction' | 'signingSecret'>,
): Promise<NewSession> {
  const token = newSessionToken()
  const tokenHash = hashToken(token)
  const row = {
    tokenHash,
    siteId,
    subject: hashOf('user', user),
    providerSession: session === undefined ? null : hashOf('session', session),
    content: sealContent(content, tokenHash, signingSecret),
    startedAt: new Date(startedAt),
    expiresAt: new Date(Math.min(endsAt, Date.now() + maxSession)),
  }
  await transaction(async (tx: Transaction) => {
    if (!(await isUnchanged(tx))) throw settingsChanged()
    if (await sessions.isLoggedOut(tx, row)) throw signInEnded()
    if (previous !== undefined) await sessions.end(tx, { siteId, token: previous })
    await sessions.insert(tx, row)
  })
  return { token, expiresAt: row.expiresAt.toISOString() }
}
