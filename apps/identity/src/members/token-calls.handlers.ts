import { identityCalls } from '@recto/contracts-identity-bus'
import type { Role } from '@recto/actor'
import { feature } from '@recto/operation'
import * as tokens from './resolve-token.repository.ts'
import type { BaseContext } from '../shared/context.ts'

export const tokenCallsFeature = feature<BaseContext>()(identityCalls, {
  async resolveToken({ body }, { db }) {
    const token = await tokens.resolveToken(db, body.hash)
    if (!token || (token.limitedTo && !body.knowsLimits)) return { actor: null }
    await tokens.recordTokenUse(db, token)
    const {
      tokenId,
      userId,
      platformAdmin,
      scopes,
      expiresAt,
      sso,
      ssoRequired,
      serviceAccount,
      allowedAddresses,
      limitedTo,
      grantId,
    } = token
    const memberships = token.memberships.map(membership => ({ ...membership, role: membership.role as Role | null }))
    const actor = {
      userId,
      platformAdmin,
      scopes,
      memberships,
      ...(sso && { sso, ssoToken: tokenId }),
      ...(expiresAt && { expiresAt: expiresAt.getTime() }),
      ...(ssoRequired.length > 0 && { ssoRequired }),
      ...(serviceAccount && { serviceAccount }),
      ...(allowedAddresses && { allowedAddresses }),
      ...(limitedTo && { limitedTo }),
      ...(grantId && { grant: grantId }),
    }
    return { actor, tokenId, ...(expiresAt && { expiresAt: expiresAt.getTime() }) }
  },
})
