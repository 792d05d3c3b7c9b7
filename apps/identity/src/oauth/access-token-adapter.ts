import { hashToken } from '@recto/actor'
import type { Transaction } from '@recto/database'
import { createId } from '@recto/operation'
import { errors, type AdapterPayload } from 'oidc-provider'
import * as tokens from '../users/tokens.repository.ts'
import type { PartialAdapter } from './partial-adapter.ts'
import { artifactRow, createArtifactAdapter, whileGranted } from './artifact-adapter.ts'
import * as artifacts from './artifacts.repository.ts'
import { currentWork } from './current-work.ts'
import * as grants from '../grants/grants.repository.ts'
import { findSignInToken } from './sign-in-token.ts'

const kind = 'AccessToken'

/** Access tokens are tokens of the API: copies of the token that their owner has signed in with, with the scopes that were allowed. */
export function createAccessTokenAdapter(): PartialAdapter {
  return {
    ...createArtifactAdapter(kind),
    async upsert(id, payload, expiresIn = 0) {
      const { transaction } = currentWork().context
      const insert = () => transaction(tx => insertAccessToken(tx, id, { payload, expiresIn }))
      await whileGranted(payload.grantId ?? null, insert)
    },
  }
}

async function insertAccessToken(
  tx: Transaction,
  id: string,
  { payload, expiresIn }: { payload: AdapterPayload; expiresIn: number },
): Promise<void> {
  const { accountId = '', grantId = '', scope = '' } = payload
  const signIn = await findSignInToken(tx, accountId)
  const grant = await grants.find(tx, grantId)
  if (!signIn || !grant) throw new errors.InvalidGrant('the grant has ended')
  const row = artifactRow(kind, id, { payload, expiresIn })
  const token = {
    ...signIn.row,
    id: createId(),
    hash: hashToken(id),
    hint: id.slice(-4),
    name: grant.clientName,
    scopes: scope.split(' '),
    grantId: grant.id,
    createdAt: new Date(),
    expiresAt: row.expiresAt,
    lastUsedAt: null,
  }
  await tokens.removeExpiredOfGrant(tx, grant.id)
  await tokens.insert(tx, token)
  await artifacts.save(tx, { ...row, tokenId: token.id })
  await grants.touch(tx, grant.id)
}
