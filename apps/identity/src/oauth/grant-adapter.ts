import { recorded } from '@recto/contracts-shared'
import type { Db } from '@recto/database'
import * as members from '../members/members.repository.ts'
import { lockOrganizations } from '../organizations/organizations.repository.ts'
import * as tokens from '../users/tokens.repository.ts'
import type { PartialAdapter } from './partial-adapter.ts'
import { currentWork } from './current-work.ts'
import { endGrant, recordOfGrant } from './end-grants.ts'
import * as grants from '../grants/grants.repository.ts'
import { sealPayload, unsealPayload } from './sealed-payload.ts'
import { findSignInToken } from './sign-in-token.ts'

/** The storage of grants. One is made by the answer of a person alone. */
export function createGrantAdapter(): PartialAdapter {
  return {
    async upsert(id, payload, expiresIn = 0) {
      const { context, program } = currentWork()
      const { accountId = '', clientId = '', resources = {} } = payload
      if (!program) throw new Error('A grant is made by the answer of a person alone')
      await context.transaction(async tx => {
        await lockMemberships(tx, accountId)
        const signIn = await findSignInToken(tx, accountId)
        if (!signIn) throw new Error('The sign-in has ended')
        const scopes = [...new Set(Object.values(resources as Record<string, string>).flatMap(text => text.split(' ')))]
        const grant = {
          id,
          userId: signIn.row.userId,
          tokenId: signIn.row.id,
          ssoOrganization: signIn.row.ssoOrganization,
          clientId,
          clientName: program.name,
          clientHost: program.host,
          scopes,
          payload: sealPayload(payload, id, context.signingSecret),
          createdAt: new Date(),
          lastUsedAt: null,
          expiresAt: new Date(Date.now() + expiresIn * 1000),
        }
        if (!(await grants.insert(tx, grant))) return
        const details = { scopes, program: clientId }
        await recordOfGrant(tx, grant, place => recorded('oauth-grant.created', { ...place, details }))
      })
    },
    async find(id) {
      const { db, signingSecret } = currentWork().context
      const row = await grants.find(db, id)
      return row && unsealPayload(row.payload, row.id, signingSecret)
    },
    async destroy(id) {
      const { context, isRevocation } = currentWork()
      await context.transaction(async tx => {
        const grant = await grants.find(tx, id)
        if (grant) await endGrant(tx, grant, isRevocation ? 'program' : 'replay')
      })
    },
  }
}

/** Lets whoever belongs to the organizations of a sign-in change before or after its grant is stored: what ends a membership ends the grant. */
async function lockMemberships(tx: Db, tokenId: string): Promise<void> {
  const token = await tokens.find(tx, { id: tokenId })
  if (token) await lockOrganizations(tx, await members.findOrganizationIds(tx, token.userId))
}
