import { identityEvents, members } from '@recto/contracts'
import { Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../../shared/context'
import {
  canAdminister,
  canListPeople,
  canSeePerson,
  isMember,
  requireIn,
} from '../../organizations/organizations.policy'
import { requireStill } from '../../members/current-membership'
import * as teams from '../../members/teams.repository'
import { presentTeams } from '../../members/present-teams'
import * as repository from '../../members/members.repository'
import type { MemberView } from '../../members/members.repository'
import { requireAdminLeft } from '../../members/members.rules'
import { presentMembers } from '../../members/present-members'
import { visitorClaims } from '../../members/visitor-claims'

interface Who {
  organizationId: string
  userId: string
}

export const memberFeature = feature<BaseContext>()(members, {
  async listMembersInOrganizationById({ params, query }, context) {
    requireIn(context.actor, params.organizationId, canListPeople)
    const page = await repository.listOf(
      context.db,
      { ...query, organization: params.organizationId },
      { ...query, cursorKey: context.cursorKey() },
    )
    return { ...page, items: await presentMembers(context, params.organizationId, page.items) }
  },

  async getMemberInOrganizationById({ params }, context) {
    requirePerson(context, params)
    return presentOne(context, await repository.get(context.db, whoIn(params)))
  },

  async updateMemberInOrganizationById({ params, body: { role } }, context) {
    requireIn(context.actor, params.organizationId, canAdminister)
    const who = whoIn(params)
    if (role === undefined) return presentOne(context, await repository.get(context.db, who))
    await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const member = await repository.get(tx, who)
      requireAdminLeft({
        role: member.role,
        next: role,
        admins: await repository.countAdmins(tx, params.organizationId),
      })
      await repository.setRole(tx, who, role)
      await tx.publish(identityEvents.actorChanged, { userIds: [params.userId] })
    })
    context.log.info({ ...who, role, by: context.actor.userId }, 'the role of a member was changed')
    return presentOne(context, await repository.get(context.db, who))
  },

  async removeMemberFromOrganizationById({ params }, context) {
    const { actor } = context
    const isSelf = params.userId === actor.userId
    // Everybody may leave, also with a token that the organization does not take.
    if (!isSelf || !isMember(actor, params.organizationId)) requireIn(actor, params.organizationId, canAdminister)
    const isRemoved = await context.transaction(async tx => {
      await requireStill(tx, actor, {
        organization: params.organizationId,
        can: membership => isSelf || canAdminister(membership),
      })
      const member = await repository.find(tx, whoIn(params))
      if (!member) return false
      requireAdminLeft({
        role: member.role,
        next: undefined,
        admins: await repository.countAdmins(tx, params.organizationId),
      })
      await repository.remove(tx, whoIn(params))
      const removed = { organization: params.organizationId, user: params.userId, at: new Date().toISOString() }
      await tx.publish(identityEvents.actorChanged, { userIds: [params.userId] })
      await tx.publish(identityEvents.memberRemoved, removed)
      return true
    })
    if (isRemoved) context.log.info({ ...whoIn(params), by: actor.userId }, 'a member was removed')
    return undefined
  },

  async setUserAsSSOMemberForOrganization({ params }, context) {
    requireIn(context.actor, params.organizationId, canAdminister)
    await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      await repository.markSso(tx, whoIn(params))
    })
    return presentOne(context, await repository.get(context.db, whoIn(params)))
  },

  async listTeamsForOrganizationMember({ params, query }, context) {
    requirePerson(context, params)
    await repository.get(context.db, whoIn(params))
    const page = await teams.listOfMember(
      context.db,
      { ...whoIn(params), title: query.title },
      { ...query, cursorKey: context.cursorKey() },
    )
    const shown = await presentTeams(context, params.organizationId, page.items)
    return {
      ...page,
      items: page.items.map(({ role }, index) => ({ team: shown[index] as (typeof shown)[number], member: { role } })),
    }
  },

  async updateOrganizationMemberLastSeenAt({ params }, context) {
    const { actor } = context
    const membership = requireIn(actor, params.organizationId)
    const who = { organization: params.organizationId, userId: actor.userId }
    await repository.touch(context.db, who)
    const member = await repository.get(context.db, who)
    const claims = await visitorClaims({
      member,
      membership,
      publicUrl: context.publicUrl,
      key: context.visitorKey,
      now: Date.now(),
      tokenEnds: actor.expiresAt,
    })
    return { serviceVisitorClaims: claims, gitbookVisitorClaims: claims }
  },
})

/** Whom the caller does not see does not exist for them. */
function requirePerson(context: Context, { organizationId, userId }: Who): void {
  const { actor } = context
  const membership = requireIn(actor, organizationId)
  if (!canSeePerson(actor, membership, userId)) throw new Failure('not_found', 'There is no such member')
}

function whoIn({ organizationId, userId }: Who): { organization: string; userId: string } {
  return { organization: organizationId, userId }
}

async function presentOne(context: Context, member: MemberView) {
  const [presented] = await presentMembers(context, member.organizationId, [member])
  return presented as NonNullable<typeof presented>
}
