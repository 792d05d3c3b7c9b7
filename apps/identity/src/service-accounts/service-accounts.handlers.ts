import { identityEvents } from '@recto/contracts-identity-bus'
import { serviceAccounts } from '@recto/contracts-identity'
import { recorded } from '@recto/contracts-shared'
import type { Membership } from '@recto/actor'
import type { Transaction } from '@recto/database'
import { createId, feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { requireCanGrant } from '../invites/invites.policy.ts'
import { removeMember } from '../invites/remove-member.ts'
import { addMember } from '../members/add-members.ts'
import { requireCurrentMembership } from '../members/current-membership.ts'
import { insertToken, recordRevocation } from '../members/member-records.ts'
import * as members from '../members/members.repository.ts'
import { canAdminister, requireMembership } from '../organizations/organizations.policy.ts'
import * as tokens from '../users/tokens.repository.ts'
import { presentIssuedToken } from '../users/present-issued-token.ts'
import { issueToken, presentToken } from '../users/tokens.rules.ts'
import { requireVisibleLimits, viewersOfUser } from '../members/token-limits.ts'
import * as users from '../users/users.repository.ts'
import { serviceAccountEmail } from './service-account-email.ts'
import * as repository from './service-accounts.repository.ts'

interface AccountParams {
  organizationId: string
  serviceAccountId: string
}

export const serviceAccountFeature = feature<BaseContext>()(serviceAccounts, {
  async listServiceAccounts({ params, query }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const page = await repository.list(context.db, params.organizationId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(account => present(context, account)) }
  },

  async createServiceAccount({ params: { organizationId: organization }, body: { name, role } }, context) {
    requireMembership(context.actor, organization, canAdminister)
    const id = createId()
    await context.transaction(async tx => {
      requireCanGrant(await requireAdmin(tx, context, organization), role)
      await users.insert(tx, {
        id,
        email: serviceAccountEmail(id),
        displayName: name,
        photoUrl: null,
        platformAdmin: false,
        emailAssertedBy: organization,
        createdAt: new Date(),
        serviceAccountOf: organization,
      })
      await addMember(tx, { organization, userId: id, role })
      tx.record(recorded('service-account.created', { organization, serviceAccount: id, details: { role } }))
    })
    return present(context, await repository.get(context.db, { organization, id }))
  },

  async getServiceAccount({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    return present(context, await repository.get(context.db, keyOf(params)))
  },

  async updateServiceAccount({ params, body: { name, role } }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const { organization, id } = keyOf(params)
    await context.transaction(async tx => {
      const membership = await requireAdmin(tx, context, organization)
      const account = await repository.get(tx, { organization, id })
      const isRenamed = name !== undefined && name !== account.displayName
      const hasNewRole = role !== undefined && role !== account.role
      if (isRenamed) await users.update(tx, id, { displayName: name })
      if (hasNewRole) {
        requireCanGrant(membership, role)
        await members.setRole(tx, { organization, userId: id }, role)
        await tx.publish(identityEvents.actorChanged, { userIds: [id] })
      }
      const fields = [...(isRenamed ? ['name'] : []), ...(hasNewRole ? ['role'] : [])]
      const details = { fields, ...(hasNewRole && { role }) }
      if (fields.length > 0)
        tx.record(recorded('service-account.updated', { organization, serviceAccount: id, details }))
    })
    return present(context, await repository.get(context.db, { organization, id }))
  },

  async deleteServiceAccount({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const { organization, id } = keyOf(params)
    await context.transaction(async tx => {
      await requireAdmin(tx, context, organization)
      const account = await repository.find(tx, { organization, id })
      if (!account) return
      await removeMember(tx, account)
      tx.record(recorded('service-account.deleted', { organization, serviceAccount: id }))
    })
    return undefined
  },

  async listServiceAccountTokens({ params, query }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const { userId } = await repository.get(context.db, keyOf(params))
    const page = await tokens.list(context.db, { userId, sso: undefined }, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentToken) }
  },

  async createServiceAccountToken({ params, body }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const { actor } = context
    const { userId: account } = await repository.get(context.db, keyOf(params))
    await requireVisibleLimits(context, [{ actor, organization: params.organizationId }], body)
    const viewers = body.limitedTo ? await viewersOfUser(context, account) : []
    const limits = await requireVisibleLimits(context, viewers, { ...body, seen: 'the account sees' })
    const issued = await context.transaction(async tx => {
      await requireAdmin(tx, context, params.organizationId)
      const { userId } = await repository.get(tx, keyOf(params))
      const { scopes: issuerScopes, allowedAddresses: issuerAddresses } = actor
      const token = issueToken(body, { userId, issuerScopes, issuerAddresses, now: new Date() })
      await insertToken(tx, token.row, limits)
      return token
    })
    return presentIssuedToken(context, issued)
  },

  async deleteServiceAccountToken({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    await context.transaction(async tx => {
      await requireAdmin(tx, context, params.organizationId)
      const account = await repository.find(tx, keyOf(params))
      if (!account) return
      const { userId } = account
      await recordRevocation(tx, await tokens.remove(tx, params.tokenId, { userId, sso: undefined }))
      await tx.publish(identityEvents.actorChanged, { userIds: [userId] })
    })
    return undefined
  },
})

function keyOf({ organizationId, serviceAccountId }: AccountParams): repository.ServiceAccountKey {
  return { organization: organizationId, id: serviceAccountId }
}

/** The caller's membership, which makes them an admin until the transaction ends. */
function requireAdmin(tx: Transaction, { actor }: Context, organization: string): Promise<Membership> {
  return requireCurrentMembership(tx, actor, { organization, can: canAdminister })
}

function present({ publicUrl }: Context, account: members.MemberView) {
  return {
    object: 'service-account' as const,
    id: account.userId,
    name: account.displayName,
    role: account.role,
    createdAt: account.joinedAt.toISOString(),
    ...(account.lastSeenAt && { lastSeenAt: account.lastSeenAt.toISOString() }),
    urls: { location: `${publicUrl}/v1/orgs/${account.organizationId}/service-accounts/${account.userId}` },
  }
}
