import { randomBytes } from 'node:crypto'
import type { Db } from '@recto/database'
import type { Secrets } from '@recto/operation'
import * as artifacts from './artifacts.repository.ts'
import { artifactHash, sealPayload, unsealPayload } from './sealed-payload.ts'

const kind = 'VisitCode'
const lifetimeMs = 60_000

/** A member on their way back to a site. */
export interface VisitCode {
  organization: string
  site: string
  redirectUri: string
  challenge: string
  /** The session of the member. */
  session: string
}

/** Makes a code for a site; it ends with the token of the sign-in, too. */
export async function issueVisitCode(
  db: Db,
  { code, tokenId }: { code: VisitCode; tokenId: string },
  secrets: Secrets,
): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  const hash = artifactHash(value)
  await artifacts.save(db, {
    kind,
    hash,
    userCodeHash: null,
    grantId: null,
    tokenId,
    payload: sealPayload({ ...code }, `${kind} ${hash}`, secrets),
    consumedAt: null,
    expiresAt: new Date(Date.now() + lifetimeMs),
  })
  return value
}

/** Takes a code: it is used up by whoever brings it. Undefined for one that was, has expired, or was made up. */
export async function takeVisitCode(db: Db, value: string, secrets: Secrets): Promise<VisitCode | undefined> {
  const row = await artifacts.take(db, { kind, hash: artifactHash(value) })
  return row && (unsealPayload(row.payload, `${kind} ${row.hash}`, secrets) as unknown as VisitCode)
}
