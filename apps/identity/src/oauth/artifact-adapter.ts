import { errors } from 'oidc-provider'
import type { PartialAdapter } from './partial-adapter.ts'
import type { OAuthArtifactRow } from './artifact.entity.ts'
import * as artifacts from './artifacts.repository.ts'
import { currentWork } from './current-work.ts'
import { endGrant } from './end-grants.ts'
import * as grants from '../grants/grants.repository.ts'
import { artifactHash, sealPayload, unsealPayload, type Payload } from './sealed-payload.ts'

/** Kinds of objects that end with a grant. */
const ofGrants = ['AuthorizationCode', 'RefreshToken', 'AccessToken', 'DeviceCode']

/** The storage of codes and tokens, by the hash of their value. */
export function createArtifactAdapter(kind: string): PartialAdapter & { revokeByGrantId(id: string): Promise<void> } {
  return {
    async upsert(id, payload, expiresIn = 0) {
      const row = artifactRow(kind, id, { payload, expiresIn })
      await whileGranted(row.grantId, () => artifacts.save(currentWork().context.db, row))
    },
    async find(id) {
      return payloadOf(await artifacts.find(currentWork().context.db, { kind, hash: artifactHash(id) }))
    },
    async findByUserCode(userCode) {
      return payloadOf(await artifacts.findByUserCode(currentWork().context.db, artifactHash(userCode)))
    },
    async consume(id) {
      const { context } = currentWork()
      const key = { kind, hash: artifactHash(id) }
      if (await artifacts.consume(context.db, key)) return
      // Another request has used it between the look-up and now: this is its second use.
      const row = await artifacts.find(context.db, key)
      if (row?.grantId) await revokeGrant(row.grantId)
      throw new errors.InvalidGrant('used twice')
    },
    async destroy(id) {
      await artifacts.take(currentWork().context.db, { kind, hash: artifactHash(id) })
    },
    revokeByGrantId: revokeGrant,
  }
}

/** Stores what is of a grant. Throws `invalid_grant` where that has ended meanwhile. */
export async function whileGranted(grantId: string | null, save: () => Promise<void>): Promise<void> {
  try {
    await save()
  } catch (error) {
    if (grantId === null || (await grants.find(currentWork().context.db, grantId))) throw error
    throw new errors.InvalidGrant('the grant has ended')
  }
}

/** The row of an object. */
export function artifactRow(
  kind: string,
  id: string,
  { payload, expiresIn }: { payload: Payload; expiresIn: number },
): OAuthArtifactRow {
  const hash = artifactHash(id)
  const { grantId, userCode } = payload
  return {
    kind,
    hash,
    userCodeHash: typeof userCode === 'string' ? artifactHash(userCode) : null,
    grantId: typeof grantId === 'string' && ofGrants.includes(kind) ? grantId : null,
    tokenId: null,
    payload: sealPayload(payload, contextOf({ kind, hash }), currentWork().context.signingSecret),
    consumedAt: null,
    expiresAt: new Date(Date.now() + expiresIn * 1000),
  }
}

/** The object of a row, with when it was used. */
export function payloadOf(row: OAuthArtifactRow | undefined): Payload | undefined {
  if (!row) return undefined
  const payload = unsealPayload(row.payload, contextOf(row), currentWork().context.signingSecret)
  return payload && row.consumedAt ? { ...payload, consumed: Math.floor(row.consumedAt.getTime() / 1000) } : payload
}

/** The context that the object of a row is sealed for. */
export function contextOf({ kind, hash }: artifacts.ArtifactKey): string {
  return `${kind} ${hash}`
}

/** Ends a grant with all that came from it, because of a second use, or because its program gives it back. */
async function revokeGrant(id: string): Promise<void> {
  const { context, isRevocation } = currentWork()
  await context.transaction(async tx => {
    const grant = await grants.find(tx, id)
    if (grant) await endGrant(tx, grant, isRevocation ? 'program' : 'replay')
  })
}
