import { randomBytes } from 'node:crypto'
import type { Db } from '@recto/database'
import type { Secrets } from '@recto/operation'
import type { OAuthArtifactRow } from './artifact.entity.ts'
import * as artifacts from './artifacts.repository.ts'
import { artifactHash, sealPayload, unsealPayload } from './sealed-payload.ts'

/** The kind of objects that tickets are. */
export const ticketKind = 'Ticket'
const lifetimeMs = 120_000

/** A completed single sign-on, on its way to the authorization that it was begun for. */
export interface Ticket {
  interaction: string
  token: string
}

/** Makes a ticket: whoever brings it, and has begun the interaction, has signed in with the token. */
export async function issueTicket(db: Db, ticket: Ticket, secrets: Secrets): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  const hash = artifactHash(value)
  await artifacts.save(db, {
    kind: ticketKind,
    hash,
    userCodeHash: null,
    grantId: null,
    tokenId: ticket.token,
    payload: sealPayload({ ...ticket }, `${ticketKind} ${hash}`, secrets),
    consumedAt: null,
    expiresAt: new Date(Date.now() + lifetimeMs),
  })
  return value
}

/** The ticket of a row. */
export function ticketOf({ hash, payload }: OAuthArtifactRow, secrets: Secrets): Ticket {
  return unsealPayload(payload, `${ticketKind} ${hash}`, secrets) as unknown as Ticket
}
