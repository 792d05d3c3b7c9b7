import type { PartialAdapter } from './partial-adapter.ts'
import { currentWork } from './current-work.ts'
import { artifactHash, sealPayload, unsealPayload, type Payload } from './sealed-payload.ts'
import type { OAuthSessionRow } from './session.entity.ts'
import * as sessions from './sessions.repository.ts'
import { findSignInToken } from './sign-in-token.ts'

/** Sessions of browsers. One is over as soon as the token is that its user has signed in with. */
export function createSessionAdapter(): PartialAdapter {
  return {
    async upsert(id, payload, expiresIn = 0) {
      const { context, userAgent = null, storedSessions } = currentWork()
      const { accountId, loginTs, uid = '' } = payload
      const signIn = accountId === undefined ? undefined : await findSignInToken(context.db, accountId)
      if (accountId !== undefined && !signIn) return
      const now = new Date()
      // A session that this request has found is changed, and no more begun: whoever ends it meanwhile has ended it.
      const store = storedSessions.has(uid) ? sessions.update : sessions.insert
      storedSessions.add(uid)
      await store(context.db, {
        uid,
        hash: artifactHash(id),
        userId: signIn?.row.userId ?? null,
        tokenId: signIn?.row.id ?? null,
        ssoOrganization: signIn?.row.ssoOrganization ?? null,
        payload: sealPayload(payload, uid, context.signingSecret),
        userAgent,
        createdAt: loginTs === undefined ? now : new Date(loginTs * 1000),
        lastSeenAt: now,
        expiresAt: new Date(now.getTime() + expiresIn * 1000),
      })
    },
    async find(id) {
      return alive(await sessions.find(currentWork().context.db, { hash: artifactHash(id) }))
    },
    async findByUid(uid) {
      return alive(await sessions.find(currentWork().context.db, { uid }))
    },
    destroy: id => sessions.removeByHash(currentWork().context.db, artifactHash(id)),
  }
}

/** The session of a row while its token is valid. */
async function alive(row: OAuthSessionRow | undefined): Promise<Payload | undefined> {
  if (!row) return undefined
  const { context, storedSessions } = currentWork()
  const { db, signingSecret } = context
  storedSessions.add(row.uid)
  if (row.tokenId !== null && !(await findSignInToken(db, row.tokenId))) return undefined
  return unsealPayload(row.payload, row.uid, signingSecret)
}
