import { identityCalls } from '@recto/contracts'
import type { Role } from '@recto/actor'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context'
import * as tokens from '../users/tokens.repository'

export const callFeature = feature<BaseContext>()(identityCalls, {
  async resolveToken({ body }, { db }) {
    const bearer = await tokens.bearerOf(db, body.hash)
    if (!bearer) return { actor: null }
    await tokens.touch(db, bearer)
    const { tokenId, userId, platformAdmin, scopes, expiresAt, sso, ssoRequired } = bearer
    const memberships = bearer.memberships.map(membership => ({ ...membership, role: membership.role as Role | null }))
    const actor = {
      userId,
      platformAdmin,
      scopes,
      memberships,
      ...(sso && { sso }),
      ...(expiresAt && { expiresAt: expiresAt.getTime() }),
      ...(ssoRequired.length > 0 && { ssoRequired }),
    }
    return { actor, tokenId, ...(expiresAt && { expiresAt: expiresAt.getTime() }) }
  },
})
