import { createDefaultSite } from './default-site.ts'
import { identityEvents } from '@recto/contracts-identity-bus'
import { organizations } from '@recto/contracts-identity'
import { recorded, usersOfMergeRules } from '@recto/contracts-shared'
import type { Db } from '@recto/database'
import { changedFields, feature, fieldFault, fieldFaults, type Input } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { describeOrganizations } from '../members/describe-organizations.ts'
import { requireCurrentMembership } from '../members/current-membership.ts'
import * as members from '../members/members.repository.ts'
import { isEmailProven } from '../users/emails.rules.ts'
import * as users from '../users/users.repository.ts'
import type { OrganizationRow } from './organization.entity.ts'
import {
  canAdminister,
  isMemberIgnoringSso,
  requireMembership,
  refuseOrganizationToken,
} from './organizations.policy.ts'
import * as repository from './organizations.repository.ts'
import { applyChange, normalizeDomain, emailDomain, newOrganization } from './organizations.rules.ts'
import { presentOrganization } from './present-organization.ts'

export const organizationFeature = feature<BaseContext>()(organizations, {
  async listOrganizationsForAuthenticatedUser({ query }, context) {
    const { memberships, ssoRequired = [] } = context.actor
    const ids = [...memberships.map(({ organization }) => organization), ...ssoRequired]
    const page = await repository.listByIds(context.db, ids, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: await describeOrganizations(context.db, context, page.items) }
  },

  async getOrganizationById({ params }, context) {
    requireMembership(context.actor, params.organizationId)
    return presentOne(await repository.get(context.db, params.organizationId), context)
  },

  async createOrganization({ query, body }, context) {
    const { actor } = context
    refuseOrganizationToken(actor)
    const { onboardingPreferences, ...settings } = body
    const empty = newOrganization(settings)
    // Before the organization: when there can be no site, there is nothing at all.
    const site = await createDefaultSite(empty, { query, onboardingPreferences }, context)
    const organization = { ...empty, defaultSite: site ?? null }
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
      await repository.insert(tx, organization)
      await members.insert(tx, member)
      const { id } = organization
      tx.record(recorded('organization.created', { organization: id }))
      tx.record(recorded('member.added', { organization: id, user: actor.userId, details: { role: member.role } }))
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
    requireMembership(context.actor, params.organizationId, canAdminister)
    await requireSite(context, params.organizationId, body)
    const updated = await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const before = await repository.get(tx, params.organizationId)
      const after = applyChange(before, body)
      await requireUsersOfRules(tx, after.id, body)
      await repository.save(tx, after)
      const fields = changedFields(before, after)
      if (fields.length > 0)
        tx.record(recorded('organization.updated', { organization: after.id, details: { fields } }))
      const change = { userIds: [], organizations: [after.id] }
      if (before.sso !== after.sso) await tx.publish(identityEvents.actorChanged, change)
      return after
    })
    return presentOne(updated, context)
  },

  async getOrganizationsForEmailDomain({ params }, context) {
    const { actor } = context
    const domain = normalizeDomain(params.emailDomain)
    const user = await users.get(context.db, actor.userId)
    const hasDomain = !actor.sso && emailDomain(user.email) === domain
    const mayJoin = (id: string) => actor.platformAdmin || (hasDomain && isEmailProven(user, id))
    const matching = await repository.listByDomain(context.db, domain)
    return {
      organizations: await describeOrganizations(
        context.db,
        { actor, publicUrl: context.publicUrl, domain },
        matching.filter(({ id }) => mayJoin(id) || isMemberIgnoringSso(actor, id)),
      ),
    }
  },
})

/** Throws `invalid_request` for a site that the organization does not have. */
async function requireSite(
  { publishing }: Context,
  organization: string,
  { defaultContent }: Input<typeof organizations.updateOrganizationById>['body'],
): Promise<void> {
  if (!defaultContent) return
  const { exists } = await publishing.findSite({ body: { organization, site: defaultContent.site } })
  if (!exists) throw fieldFault('body.defaultContent.site', 'is not a site of the organization')
}

async function presentOne(row: OrganizationRow, context: Context) {
  const [presented] = await describeOrganizations(context.db, context, [row])
  return presented as NonNullable<typeof presented>
}

/** Throws `not_found` that names each user of the merge rules who is not in the organization. */
async function requireUsersOfRules(
  db: Db,
  organization: string,
  { mergeRules }: Input<typeof organizations.updateOrganizationById>['body'],
): Promise<void> {
  const ruleUsers = usersOfMergeRules(mergeRules)
  const memberIds = await members.findMemberIds(
    db,
    organization,
    ruleUsers.map(({ user }) => user),
  )
  const missing = ruleUsers.filter(({ user }) => !memberIds.has(user))
  if (missing.length === 0) return
  throw fieldFaults(
    missing.map(({ path }) => ({ path, message: 'is not in the organization' })),
    'not_found',
  )
}
