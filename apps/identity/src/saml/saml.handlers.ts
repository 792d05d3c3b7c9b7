import { saml } from '@recto/contracts-identity'
import { recorded } from '@recto/contracts-shared'
import type { Db } from '@recto/database'
import type { Role } from '@recto/actor'
import { changedFields, createId, Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { canAdminister, isMemberIgnoringSso, requireMembership } from '../organizations/organizations.policy.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { requireCanGrant } from '../invites/invites.policy.ts'
import { requireCurrentMembership } from '../members/current-membership.ts'
import { afterSignIn } from '../oauth/after-sign-in.ts'
import { interactionId } from '../oauth/interaction-path.ts'
import { oidcLogins } from '../oidc/logins.ts'
import { endSignIns } from './end-sign-ins.ts'
import { requireDefaultTeam } from '../sign-ins/default-team.ts'
import { presentProviders } from './present-providers.ts'
import type { ProviderRow } from './provider.entity.ts'
import { applySettings, endsSignIns, isActive, serviceUrls, type ActiveProvider } from './provider.rules.ts'
import * as repository from './providers.repository.ts'
import { serviceMetadata, authnRequestUrl } from './service-provider.ts'
import { signIn } from './sign-in.ts'
import * as signIns from './sign-ins.repository.ts'

export const samlFeature = feature<BaseContext>()(saml, {
  async listSAMLProvidersInOrganizationById({ params, query }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const page = await repository.list(context.db, params.organizationId, {
      ...query,
      cursorKey: context.cursorKey(),
    })
    return { ...page, items: await presentProviders(context, params.organizationId, page.items) }
  },

  async createOrganizationSAMLProvider({ params, body }, context) {
    const membership = requireMembership(context.actor, params.organizationId, canAdminister)
    const { defaultRole } = await organizations.get(context.db, params.organizationId)
    const blank = {
      ssoUrl: null,
      entityId: null,
      certificate: null,
      defaultTeam: null,
      defaultRole: defaultRole as Role | null,
    }
    const row = applySettings(
      { ...blank, id: createId(), organizationId: params.organizationId, label: body.label, createdAt: new Date() },
      body,
    )
    requireCanGrant(membership, row.defaultRole)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      await requireDefaultTeam(tx, row.organizationId, body)
      await repository.insert(tx, row)
      tx.record(recorded('saml-provider.created', placeOf(row)))
    })
    return presentOne(context, row)
  },

  async getOrganizationSAMLProviderById({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    return presentOne(context, await repository.get(context.db, providerKey(params)))
  },

  async updateOrganizationSAMLProvider({ params, body }, context) {
    const membership = requireMembership(context.actor, params.organizationId, canAdminister)
    requireCanGrant(membership, body.defaultRole ?? null)
    const row = await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const before = await repository.getForUpdate(tx, providerKey(params))
      const after = applySettings(before, body)
      await requireDefaultTeam(tx, after.organizationId, body)
      await repository.save(tx, after)
      const revokedTokens = endsSignIns(before, after) ? await endSignIns(tx, providerKey(params)) : 0
      const fields = changedFields(before, after)
      if (fields.length > 0)
        tx.record(recorded('saml-provider.updated', { ...placeOf(after), details: { fields, revokedTokens } }))
      return after
    })
    return presentOne(context, row)
  },

  async deleteOrganizationSAMLProvider({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const provider = await repository.lock(tx, providerKey(params))
      if (!provider) return
      const revokedTokens = await endSignIns(tx, providerKey(params))
      await repository.remove(tx, providerKey(params))
      const { organizationId: organization, samlProviderId: samlProvider } = params
      tx.record(recorded('saml-provider.deleted', { organization, samlProvider, details: { revokedTokens } }))
    })
    return undefined
  },

  async listSSOProviderLoginsInOrganization({ params }, context) {
    if (!isMemberIgnoringSso(context.actor, params.organizationId))
      throw new Failure('not_found', 'There is no such organization')
    const { db, publicUrl } = context
    const samlLogins = (await repository.listConfigured(db, params.organizationId))
      .filter(isActive)
      .map(row => ({ id: row.id, label: row.label, startURL: serviceUrls(row, publicUrl).startURL }))
    return { items: [...samlLogins, ...(await oidcLogins(db, params.organizationId, publicUrl))] }
  },

  async getSamlServiceMetadata({ params }, context) {
    return serviceMetadata(await repository.get(context.db, providerKey(params)), context.sso)
  },

  async startSamlSignIn({ params, query }, context) {
    const provider = await getActiveProvider(context.db, params)
    const id = `_${createId()}`
    const relayState = interactionId(query.interaction)
    context.setLocation(await authnRequestUrl(provider, context.sso, { id, relayState }))
    await signIns.insertRequest(context.db, { id, provider: provider.id })
    return undefined
  },

  async receiveSamlResponse({ params, body }, context) {
    const provider = await getActiveProvider(context.db, params)
    return afterSignIn(context, await signIn(context, provider, body.SAMLResponse), body.RelayState)
  },
})

interface ProviderParams {
  organizationId: string
  samlProviderId: string
}

/** The ids of a provider in records of changes. */
function placeOf({ organizationId, id }: ProviderRow) {
  return { organization: organizationId, samlProvider: id }
}

function providerKey({ organizationId, samlProviderId }: ProviderParams): repository.ProviderKey {
  return { organization: organizationId, provider: samlProviderId }
}

/** The provider; throws `not_found` when it is not completely configured. */
async function getActiveProvider(db: Db, params: ProviderParams): Promise<ActiveProvider> {
  const row = await repository.get(db, providerKey(params))
  if (!isActive(row)) throw new Failure('not_found', 'There is no such SAML provider')
  return row
}

async function presentOne(context: Context, row: ProviderRow) {
  const [presented] = await presentProviders(context, row.organizationId, [row])
  return presented as NonNullable<typeof presented>
}
