import { hashToken } from '@recto/actor'
import { createId } from '@recto/operation'
import { errors } from 'oidc-provider'
import * as tokens from '../users/tokens.repository.ts'
import type { PartialAdapter } from './partial-adapter.ts'
import { artifactRow, createArtifactAdapter } from './artifact-adapter.ts'
import * as artifacts from './artifacts.repository.ts'
import { currentWork } from './current-work.ts'
import * as grants from './grants.repository.ts'
import { findSignInToken } from './sign-in-token.ts'

const kind = 'AccessToken'

/** Access tokens are tokens of the API: copies of the token that their owner has signed in with, with the scopes that were allowed. */
export function createAccessTokenAdapter(): PartialAdapter {
  return {
    ...createArtifactAdapter(kind),
    async upsert(id, payload, expiresIn = 0) {
      const { accountId, grantId, scope } = payload
      const { context } = currentWork()
      await context.transaction(async tx => {
        const signIn = accountId === undefined ? undefined : await findSignInToken(tx, accountId)
        const grant = grantId === undefined ? undefined : await grants.find(tx, grantId)
        if (!signIn || !grant) throw new errors.InvalidGrant('the grant has ended')
        const now = new Date()
        const row = artifactRow(kind, id, { payload, expiresIn })
        const token = {
          ...signIn.row,
          id: createId(),
          hash: hashToken(id),
          hint: id.slice(-4),
          name: grant.clientName,
          scopes: scope?.split(' ') ?? [],
          grantId: grant.id,
          createdAt: now,
          expiresAt: row.expiresAt,
          lastUsedAt: null,
        }
        await tokens.insert(tx, token)
        await artifacts.save(tx, { ...row, tokenId: token.id })
        await grants.touch(tx, grant.id)
      })
    },
  }
}
