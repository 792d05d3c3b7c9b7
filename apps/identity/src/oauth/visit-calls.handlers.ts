import { visitChallenge } from '@recto/actor/visit-request'
import { visitCalls } from '@recto/contracts-identity-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { findVisiting } from './visiting-member.ts'
import { endAnySession } from './end-session.ts'
import { touchSession } from './touch-session.ts'
import { visitCodes } from './visit-codes.ts'

/** Answers publishing about members who read sites of their organization. */
export const visitCallFeature = feature<BaseContext>()(visitCalls, {
  async redeemVisitCode({ body: { code, organization, site, redirectUri, verifier } }, context) {
    const visit = await visitCodes.take(context.db, code, context.signingSecret)
    const isOwn =
      visit?.organization === organization &&
      visit.site === site &&
      visit.redirectUri === redirectUri &&
      visit.challenge === visitChallenge(verifier)
    if (!isOwn) return { member: null }
    const visiting = await findVisiting(context, { session: visit.session, organization })
    return { member: visiting?.member ?? null }
  },

  async findVisit({ body: { session, organization } }, context) {
    const visiting = await findVisiting(context, { session, organization })
    if (visiting) await touchSession(context, visiting.row)
    return { member: visiting?.member ?? null }
  },

  async endVisit({ body: { session } }, context) {
    await context.transaction(tx => endAnySession(tx, session))
    return {}
  },
})
