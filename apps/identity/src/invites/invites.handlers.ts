import { invites } from '@recto/contracts-identity'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { membershipIn, type Membership, type Role } from '@recto/actor'
import { feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { canAdminister, requireMembership, refuseOrganizationToken } from '../organizations/organizations.policy.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { requireCurrentMembership } from '../members/current-membership.ts'
import { requireCanGrant, requireInviteLinks } from './invites.policy.ts'
import { updateLinkInvite, isContentInvite, newLinkInvite, planInvites } from './invites.rules.ts'
import { inviteEmails } from './invite-emails.ts'
import { joinByDomain } from './join-by-domain.ts'
import { joinByLink } from './join-by-link.ts'
import type { LinkInviteRow } from './link-invite.entity.ts'
import * as links from './link-invites.repository.ts'
import * as pendingInvites from './pending-invites.repository.ts'
import { authorizeLinkInvite, presentOrganizationLinkInvite, presentPendingInvite } from './present-invites.ts'
import { findSsoIneligibleEmails } from '../members/members.repository.ts'

export const inviteFeature = feature<BaseContext>()(invites, {
  async inviteUsersToOrganization({ params: { organizationId }, body }, context) {
    const membership = requireAdmin(context, organizationId)
    const { defaultRole } = await organizations.get(context.db, organizationId)
    const planned = planInvites(body, defaultRole as Role | null)
    for (const { role } of planned) requireCanGrant(membership, role)
    const emails = planned.map(({ email }) => email)
    const { added, pending, ineligible } = await context.transaction(async tx => {
      await pendingInvites.lockEmails(tx, emails)
      await requireCurrentMembership(tx, context.actor, { organization: organizationId, can: canAdminister })
      const ineligible = body.sso ? await findSsoIneligibleEmails(tx, organizationId, emails) : new Set()
      const invited = planned.map(({ email, role }) => ({ email, role, sso: body.sso && !ineligible.has(email) }))
      return { ...(await inviteEmails(tx, organizationId, invited)), ineligible }
    })
    const failedSSOEmails = planned
      .filter(({ email }) => ineligible.has(email))
      .map(({ originalEmail }) => originalEmail)
    return { users: added, invited: added.length + pending.length, ...(body.sso && { failedSSOEmails }) }
  },

  async listPendingInvites({ params: { organizationId }, query }, context) {
    requireAdmin(context, organizationId)
    const page = await pendingInvites.list(context.db, organizationId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentPendingInvite) }
  },

  async deletePendingInvite({ params: { organizationId, inviteId } }, context) {
    requireAdmin(context, organizationId)
    await transactAsAdmin(context, organizationId, async tx => {
      const isRemoved = await pendingInvites.remove(tx, organizationId, inviteId)
      if (isRemoved) tx.record(recorded('invite.deleted', { organization: organizationId, invite: inviteId }))
    })
    return undefined
  },

  async joinOrganizationWithInvite({ params }, context) {
    refuseOrganizationToken(context.actor)
    await joinByLink(context, linkInviteKey(params))
    return {}
  },

  async joinOrganization({ params: { organizationId } }, context) {
    const { actor } = context
    refuseOrganizationToken(actor)
    if (membershipIn(actor, organizationId)) return undefined
    await context.transaction(tx => joinByDomain(tx, { organization: organizationId, userId: actor.userId }))
    return undefined
  },

  async createOrganizationInvite({ params: { organizationId }, body }, context) {
    const membership = requireAdmin(context, organizationId)
    requireInviteLinks(await organizations.get(context.db, organizationId))
    const link = newLinkInvite(organizationId, body)
    if (!isContentInvite(link)) requireCanGrant(membership, link.role)
    const presented = await authorizeLinkInvite(context, link)
    await transactAsAdmin(context, organizationId, async tx => {
      await links.insert(tx, link)
      tx.record(recorded('invite.created', { ...linkPlace(link), details: { isLink: true, role: link.role } }))
    })
    return presented
  },

  async listOrganizationInviteLinks({ params: { organizationId }, query }, context) {
    requireAdmin(context, organizationId)
    const page = await links.listOrganizationLinks(context.db, organizationId, {
      ...query,
      cursorKey: context.cursorKey(),
    })
    return { ...page, items: page.items.map(link => presentOrganizationLinkInvite(context, link)) }
  },

  async getOrganizationInviteLink({ params }, context) {
    requireAdmin(context, params.organizationId)
    return authorizeLinkInvite(context, await links.get(context.db, linkInviteKey(params)))
  },

  async updateOrganizationInviteById({ params, body }, context) {
    const membership = requireAdmin(context, params.organizationId)
    const before = await links.get(context.db, linkInviteKey(params))
    const link = updateLinkInvite(before, body)
    if (!isContentInvite(link)) requireCanGrant(membership, link.role)
    const presented = await authorizeLinkInvite(context, link)
    await transactAsAdmin(context, params.organizationId, async tx => {
      await links.setRole(tx, linkInviteKey(params), link.role)
      if (link.role !== before.role)
        tx.record(recorded('invite.updated', { ...linkPlace(link), details: { isLink: true, role: link.role } }))
    })
    return presented
  },

  async deleteOrganizationInviteById({ params }, context) {
    requireAdmin(context, params.organizationId)
    await transactAsAdmin(context, params.organizationId, async tx => {
      const isRemoved = await links.remove(tx, linkInviteKey(params))
      const { organizationId: organization, inviteId: invite } = params
      if (isRemoved) tx.record(recorded('invite.deleted', { organization, invite, details: { isLink: true } }))
    })
    return undefined
  },
})

function requireAdmin(context: Context, organization: string): Membership {
  return requireMembership(context.actor, organization, canAdminister)
}

/** Writes in a transaction that locks the caller's membership and checks that they are an admin still. */
async function transactAsAdmin(
  context: Context,
  organization: string,
  write: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await context.transaction(async tx => {
    await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
    await write(tx)
  })
}

/** The ids of a link in records of changes, with those of what it opens. */
function linkPlace({ id, organizationId, space, collection }: LinkInviteRow) {
  return { organization: organizationId, invite: id, ...(space && { space }), ...(collection && { collection }) }
}

function linkInviteKey(params: { organizationId: string; inviteId: string }): links.LinkInviteKey {
  const { organizationId, inviteId } = params
  return { organization: organizationId, id: inviteId }
}
