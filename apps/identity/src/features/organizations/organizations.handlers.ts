import { identityEvents, organizations } from '@recto/contracts'
import { membershipIn } from '@recto/actor'
import { feature } from '@recto/operation'
import type { BaseContext, Context } from '../../shared/context'
import { organizationsWithOwn } from '../../members/team-members.repository'
import * as users from '../../users/users.repository'
import type { OrganizationRow } from '../../organizations/organization.entity'
import { canAdminister, isMember, requireIn, requireWholeAccount } from '../../organizations/organizations.policy'
import * as repository from '../../organizations/organizations.repository'
import { requireStill } from '../../members/current-membership'
import { change as changeOrganization, domainOf, emailDomain, found } from '../../organizations/organizations.rules'
import { presentOrganization } from '../../organizations/present-organization'

export const organizationFeature = feature<BaseContext>()(organizations, {
  async listOrganizationsForAuthenticatedUser({ query }, context) {
    const { memberships, ssoRequired = [] } = context.actor
    const ids = [...memberships.map(({ organization }) => organization), ...ssoRequired]
    const page = await repository.listAmong(context.db, ids, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: await present(page.items, context) }
  },

  async getOrganizationById({ params }, context) {
    requireIn(context.actor, params.organizationId)
    return presentOne(await repository.get(context.db, params.organizationId), context)
  },

  async createOrganization({ body }, context) {
    const { actor } = context
    requireWholeAccount(actor)
    const organization = found(body)
    const member = {
      organizationId: organization.id,
      userId: actor.userId,
      role: 'admin',
      disabled: false,
      sso: false,
      joinedAt: organization.createdAt,
      lastSeenAt: null,
    }
    await context.transaction(async tx => {
      await repository.insert(tx, organization, member)
      await tx.publish(identityEvents.organizationCreated, {
        organization: organization.id,
        createdBy: actor.userId,
      })
      await tx.publish(identityEvents.actorChanged, { userIds: [actor.userId] })
    })
    const membership = { organization: organization.id, role: 'admin' as const, teams: [] }
    return presentOrganization(organization, { membership, ownsTeam: false, publicUrl: context.publicUrl })
  },

  async updateOrganizationById({ params, body }, context) {
    requireIn(context.actor, params.organizationId, canAdminister)
    const changed = await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const before = await repository.get(tx, params.organizationId)
      const after = changeOrganization(before, body)
      await repository.save(tx, after)
      const change = { userIds: [], organizations: [after.id] }
      if (before.sso !== after.sso) await tx.publish(identityEvents.actorChanged, change)
      return after
    })
    return presentOne(changed, context)
  },

  async getOrganizationsForEmailDomain({ params }, context) {
    const { actor } = context
    const domain = domainOf(params.emailDomain)
    const user = await users.get(context.db, actor.userId)
    const isTheirs = actor.platformAdmin || (!actor.sso && emailDomain(user.email) === domain)
    const found = await repository.listByDomain(context.db, domain)
    return {
      organizations: await present(
        found.filter(({ id }) => isTheirs || isMember(actor, id)),
        context,
      ),
    }
  },
})

async function presentOne(row: OrganizationRow, context: Context) {
  const [presented] = await present([row], context)
  return presented as NonNullable<typeof presented>
}

/** One more query for the whole page: in which of them the caller owns a team. */
async function present(rows: OrganizationRow[], context: Context) {
  const { actor } = context
  const own = await organizationsWithOwn(
    context.db,
    actor.userId,
    rows.map(({ id }) => id),
  )
  return rows.map(row => {
    const membership = actor.ssoRequired?.includes(row.id) ? undefined : membershipIn(actor, row.id)
    return presentOrganization(row, { membership, ownsTeam: own.has(row.id), publicUrl: context.publicUrl })
  })
}
