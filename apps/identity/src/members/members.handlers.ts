import { signVisitorClaims } from '@recto/actor/visitor-claims'
import { members } from '@recto/contracts-identity'
import { Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import {
  canAdminister,
  canListMembers,
  canSeeMember,
  isMemberIgnoringSso,
  requireMembership,
} from '../organizations/organizations.policy.ts'
import { changeRole } from './change-standing.ts'
import { requireCurrentMembership } from './current-membership.ts'
import * as teams from '../teams/teams.repository.ts'
import { presentTeams } from '../teams/present-teams.ts'
import * as repository from './members.repository.ts'
import type { MemberView } from './members.repository.ts'
import { setSso } from './member-records.ts'
import { removeMember } from '../invites/remove-member.ts'
import { requireOtherAdmin } from './require-other-admin.ts'
import { presentMembers } from './present-members.ts'

interface MemberParams {
  organizationId: string
  userId: string
}

export const memberFeature = feature<BaseContext>()(members, {
  async listMembersInOrganizationById({ params, query }, context) {
    requireMembership(context.actor, params.organizationId, canListMembers)
    const page = await repository.list(
      context.db,
      { ...query, organization: params.organizationId },
      { ...query, cursorKey: context.cursorKey() },
    )
    return { ...page, items: await presentMembers(context, params.organizationId, page.items) }
  },

  async getMemberInOrganizationById({ params }, context) {
    requireVisibleMember(context, params)
    return presentOne(context, await repository.get(context.db, memberKey(params)))
  },

  async updateMemberInOrganizationById({ params, body: { role } }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const key = memberKey(params)
    if (role === undefined) return presentOne(context, await repository.get(context.db, key))
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const member = await repository.get(tx, key)
      await requireOtherAdmin(tx, member, role)
      if (member.role !== role) await changeRole(tx, key, role)
    })
    context.log.info({ ...key, role, by: context.actor.userId }, 'the role of a member was changed')
    return presentOne(context, await repository.get(context.db, key))
  },

  async removeMemberFromOrganizationById({ params }, context) {
    const { actor } = context
    const isSelf = params.userId === actor.userId
    // Members may always leave, even without the single sign-on that the organization requires.
    if (!isSelf || !isMemberIgnoringSso(actor, params.organizationId))
      requireMembership(actor, params.organizationId, canAdminister)
    const isRemoved = await context.transaction(async tx => {
      await requireCurrentMembership(tx, actor, {
        organization: params.organizationId,
        can: membership => isSelf || canAdminister(membership),
      })
      const member = await repository.find(tx, memberKey(params))
      if (!member) return false
      await requireOtherAdmin(tx, member, undefined)
      await removeMember(tx, member)
      return true
    })
    if (isRemoved) context.log.info({ ...memberKey(params), by: actor.userId }, 'a member was removed')
    return undefined
  },

  async setUserAsSSOMemberForOrganization({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const { isServiceAccount } = await repository.get(tx, memberKey(params))
      if (isServiceAccount) throw new Failure('not_found', 'A service account does not sign in')
      await setSso(tx, memberKey(params))
    })
    return presentOne(context, await repository.get(context.db, memberKey(params)))
  },

  async listTeamsForOrganizationMember({ params, query }, context) {
    requireVisibleMember(context, params)
    await repository.get(context.db, memberKey(params))
    const page = await teams.listForMember(
      context.db,
      { ...memberKey(params), title: query.title },
      { ...query, cursorKey: context.cursorKey() },
    )
    const presented = await presentTeams(context, params.organizationId, page.items)
    return {
      ...page,
      items: page.items.map(({ role }, index) => ({
        team: presented[index] as (typeof presented)[number],
        member: { role },
      })),
    }
  },

  async updateOrganizationMemberLastSeenAt({ params }, context) {
    const { actor } = context
    const membership = requireMembership(actor, params.organizationId)
    const key = { organization: params.organizationId, userId: actor.userId }
    await repository.setLastSeen(context.db, key)
    const member = await repository.get(context.db, key)
    const { publicUrl, signingSecret } = context
    const input = { member, membership, publicUrl, now: Date.now(), tokenExpiresAt: actor.expiresAt }
    const claims = await signVisitorClaims(input, signingSecret)
    return { serviceVisitorClaims: claims, gitbookVisitorClaims: claims }
  },
})

/** Throws `not_found` for members that the caller must not see. */
function requireVisibleMember(context: Context, { organizationId, userId }: MemberParams): void {
  const { actor } = context
  const membership = requireMembership(actor, organizationId)
  if (!canSeeMember(actor, membership, userId)) throw new Failure('not_found', 'There is no such member')
}

function memberKey({ organizationId, userId }: MemberParams): { organization: string; userId: string } {
  return { organization: organizationId, userId }
}

async function presentOne(context: Context, member: MemberView) {
  const [presented] = await presentMembers(context, member.organizationId, [member])
  return presented as NonNullable<typeof presented>
}
