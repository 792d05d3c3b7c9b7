import type { BaseContext } from '../shared/context.ts'
import { sealPayload, unsealPayload } from './sealed-payload.ts'
import { sessionTtl } from './session-ttl.rules.ts'
import type { OAuthSessionRow } from './session.entity.ts'
import * as sessions from './sessions.repository.ts'

/** Milliseconds for which a session is not written again because it is used. */
const interval = 60_000

/** Notes that a session is used: reading a site counts as using the authorization pages, so that it ends unused nowhere. */
export async function touchSession(
  { transaction, signingSecret, oauthTtl }: Pick<BaseContext, 'transaction' | 'signingSecret' | 'oauthTtl'>,
  { uid, lastSeenAt: before }: Pick<OAuthSessionRow, 'uid' | 'lastSeenAt'>,
): Promise<void> {
  const now = Date.now()
  const isRecent = (lastSeenAt: Date) => now - lastSeenAt.getTime() < interval
  if (isRecent(before)) return
  await transaction(async tx => {
    // The authorization server writes the same row: nothing that it has stored meanwhile is lost.
    const row = await sessions.lock(tx, uid)
    if (!row || isRecent(row.lastSeenAt)) return
    const seconds = Math.floor(now / 1000)
    const ttl = sessionTtl(Math.floor(row.createdAt.getTime() / 1000), seconds, oauthTtl)
    const stored = unsealPayload(row.payload, uid, signingSecret)
    if (!stored) return
    const payload = { ...stored, exp: seconds + ttl }
    await sessions.touch(tx, uid, {
      payload: sealPayload(payload, uid, signingSecret),
      lastSeenAt: new Date(now),
      expiresAt: new Date(now + ttl * 1000),
    })
  })
}
