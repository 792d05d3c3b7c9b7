import { invites } from '@recto/contracts'
import type { Db } from '@recto/database'
import { membershipIn, type Membership, type Role } from '@recto/actor'
import { feature } from '@recto/operation'
import type { BaseContext, Context } from '../../shared/context'
import { canAdminister, requireIn, requireWholeAccount } from '../../organizations/organizations.policy'
import * as organizations from '../../organizations/organizations.repository'
import { requireStill } from '../../members/current-membership'
import { requireGrant, requireLinks } from '../../invites/invites.policy'
import { changeLink, isToContent, newLink, planInvites } from '../../invites/invites.rules'
import { inviteEmails } from '../../invites/invite-emails'
import { joinByDomain } from '../../invites/join-by-domain'
import { joinWithLink } from '../../invites/join-by-link'
import * as links from '../../invites/link-invites.repository'
import * as pending from '../../invites/pending-invites.repository'
import { presentLink, presentOrganizationLink, presentPending } from '../../invites/present-invites'
import { withoutSso } from '../../members/sso-exceptions.repository'

export const inviteFeature = feature<BaseContext>()(invites, {
  async inviteUsersToOrganization({ params: { organizationId }, body }, context) {
    const membership = requireAdmin(context, organizationId)
    const { defaultRole } = await organizations.get(context.db, organizationId)
    const planned = planInvites(body, defaultRole as Role | null)
    for (const { role } of planned) requireGrant(membership, role)
    const { added, waiting, excepted } = await context.transaction(async tx => {
      await pending.lockEmails(
        tx,
        planned.map(({ email }) => email),
      )
      await requireStill(tx, context.actor, { organization: organizationId, can: canAdminister })
      const excepted = body.sso
        ? await withoutSso(
            tx,
            organizationId,
            planned.map(({ email }) => email),
          )
        : new Set()
      const invited = planned.map(({ email, role }) => ({ email, role, sso: body.sso && !excepted.has(email) }))
      return { ...(await inviteEmails(tx, organizationId, invited)), excepted }
    })
    const failedSSOEmails = planned.filter(({ email }) => excepted.has(email)).map(({ given }) => given)
    return { users: added, invited: added.length + waiting.length, ...(body.sso && { failedSSOEmails }) }
  },

  async listPendingInvites({ params: { organizationId }, query }, context) {
    requireAdmin(context, organizationId)
    const page = await pending.listOf(context.db, organizationId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentPending) }
  },

  async deletePendingInvite({ params: { organizationId, inviteId } }, context) {
    requireAdmin(context, organizationId)
    await whileAdmin(context, organizationId, db => pending.remove(db, organizationId, inviteId))
    return undefined
  },

  async joinOrganizationWithInvite({ params }, context) {
    requireWholeAccount(context.actor)
    await joinWithLink(context, whichIn(params))
    return {}
  },

  async joinOrganization({ params: { organizationId } }, context) {
    const { actor } = context
    requireWholeAccount(actor)
    if (membershipIn(actor, organizationId)) return undefined
    await context.transaction(tx => joinByDomain(tx, { organization: organizationId, userId: actor.userId }))
    return undefined
  },

  async createOrganizationInvite({ params: { organizationId }, body }, context) {
    const membership = requireAdmin(context, organizationId)
    requireLinks(await organizations.get(context.db, organizationId))
    const link = newLink(organizationId, body)
    if (!isToContent(link)) requireGrant(membership, link.role)
    const shown = await presentLink(context, link)
    await whileAdmin(context, organizationId, db => links.insert(db, link))
    return shown
  },

  async listOrganizationInviteLinks({ params: { organizationId }, query }, context) {
    requireAdmin(context, organizationId)
    const page = await links.listOf(context.db, organizationId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(link => presentOrganizationLink(context, link)) }
  },

  async getOrganizationInviteLink({ params }, context) {
    requireAdmin(context, params.organizationId)
    return presentLink(context, await links.get(context.db, whichIn(params)))
  },

  async updateOrganizationInviteById({ params, body }, context) {
    const membership = requireAdmin(context, params.organizationId)
    const link = changeLink(await links.get(context.db, whichIn(params)), body)
    if (!isToContent(link)) requireGrant(membership, link.role)
    const shown = await presentLink(context, link)
    await whileAdmin(context, params.organizationId, db => links.setRole(db, whichIn(params), link.role))
    return shown
  },

  async deleteOrganizationInviteById({ params }, context) {
    requireAdmin(context, params.organizationId)
    await whileAdmin(context, params.organizationId, db => links.remove(db, whichIn(params)))
    return undefined
  },
})

function requireAdmin(context: Context, organization: string): Membership {
  return requireIn(context.actor, organization, canAdminister)
}

/** Writes in a transaction in which the caller is an admin still. */
async function whileAdmin(context: Context, organization: string, write: (db: Db) => Promise<void>): Promise<void> {
  await context.transaction(async tx => {
    await requireStill(tx, context.actor, { organization, can: canAdminister })
    await write(tx)
  })
}

function whichIn({ organizationId, inviteId }: { organizationId: string; inviteId: string }): {
  organization: string
  id: string
} {
  return { organization: organizationId, id: inviteId }
}
