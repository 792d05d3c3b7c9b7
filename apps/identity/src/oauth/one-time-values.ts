import { randomBytes } from 'node:crypto'
import type { Db } from '@recto/database'
import type { Secrets } from '@recto/operation'
import { contextOf } from './artifact-adapter.ts'
import * as artifacts from './artifacts.repository.ts'
import { artifactHash, sealPayload, unsealPayload, type Payload } from './sealed-payload.ts'

/** A kind of values that browsers bring once, each for something that is stored by its hash alone. */
export interface OneTimeValues<Content> {
  /** Makes a value; it ends with the token of the sign-in, too. */
  issue(db: Db, value: { content: Content; tokenId: string }, secrets: Secrets): Promise<string>
  /** Takes a value: it is used up by whoever brings it. Undefined for one that was, has expired, or was made up. */
  take(db: Db, value: string, secrets: Secrets): Promise<Content | undefined>
}

/** Makes a kind of values that are used once, within so many milliseconds. */
export function oneTimeValues<Content extends object>(kind: string, lifetimeMs: number): OneTimeValues<Content> {
  return {
    async issue(db, { content, tokenId }, secrets) {
      const value = randomBytes(32).toString('base64url')
      const key = { kind, hash: artifactHash(value) }
      await artifacts.save(db, {
        ...key,
        userCodeHash: null,
        grantId: null,
        tokenId,
        payload: sealPayload(content as Payload, contextOf(key), secrets),
        consumedAt: null,
        expiresAt: new Date(Date.now() + lifetimeMs),
      })
      return value
    },
    async take(db, value, secrets) {
      const row = await artifacts.take(db, { kind, hash: artifactHash(value) })
      return row && (unsealPayload(row.payload, contextOf(row), secrets) as Content | undefined)
    },
  }
}
