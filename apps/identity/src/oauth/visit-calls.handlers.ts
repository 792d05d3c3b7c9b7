import { visitChallenge } from '@recto/actor/visit-request'
import { visitCalls } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import { feature } from '@recto/operation'
import { recordForUser } from '../members/member-records.ts'
import type { BaseContext } from '../shared/context.ts'
import { findVisitingMember } from './visiting-member.ts'
import * as sessions from './sessions.repository.ts'
import { touchSession } from './touch-session.ts'
import { takeVisitCode } from './visit-codes.ts'

/** Answers publishing about members who read sites of their organization. */
export const visitCallFeature = feature<BaseContext>()(visitCalls, {
  async redeemVisitCode({ body: { code, organization, site, redirectUri, verifier } }, context) {
    const visit = await takeVisitCode(context.db, code, context.signingSecret)
    const isOwn =
      visit?.organization === organization &&
      visit.site === site &&
      visit.redirectUri === redirectUri &&
      visit.challenge === visitChallenge(verifier)
    if (!isOwn) return { member: null }
    return { member: await findVisitingMember(context, { session: visit.session, organization }) }
  },

  async findVisit({ body: { session, organization } }, context) {
    const member = await findVisitingMember(context, { session, organization })
    if (member) await touchSession(context, session)
    return { member }
  },

  async endVisit({ body: { session } }, context) {
    await context.transaction(async tx => {
      const row = await sessions.lock(tx, session)
      if (!row) return
      await sessions.removeByHash(tx, row.hash)
      if (row.userId !== null)
        await recordForUser(tx, row.userId, place => recorded('session.ended', { ...place, session }))
    })
    return {}
  },
})
