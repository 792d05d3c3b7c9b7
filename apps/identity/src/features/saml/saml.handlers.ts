import { saml } from '@recto/contracts'
import type { Db } from '@recto/database'
import type { Role } from '@recto/actor'
import { createId, Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../../shared/context'
import { canAdminister, canGrant, isMember, requireIn } from '../../organizations/organizations.policy'
import * as organizations from '../../organizations/organizations.repository'
import { requireStill } from '../../members/current-membership'
import * as teams from '../../members/teams.repository'
import { signedInPage } from '../../saml/signed-in-page'
import { presentProviders } from '../../saml/present-providers'
import type { ProviderRow } from '../../saml/provider.entity'
import { configured, isActive, serviceOf, type ActiveProvider, type Settings } from '../../saml/provider.rules'
import * as repository from '../../saml/providers.repository'
import { metadata, requestUrl } from '../../saml/service-provider'
import { signIn } from '../../saml/sign-in'
import * as signIns from '../../saml/sign-ins.repository'

export const samlFeature = feature<BaseContext>()(saml, {
  async listSAMLProvidersInOrganizationById({ params, query }, context) {
    requireIn(context.actor, params.organizationId, canAdminister)
    const page = await repository.listOf(context.db, params.organizationId, {
      ...query,
      cursorKey: context.cursorKey(),
    })
    return { ...page, items: await presentProviders(context, params.organizationId, page.items) }
  },

  async createOrganizationSAMLProvider({ params, body }, context) {
    const membership = requireIn(context.actor, params.organizationId, canAdminister)
    const { defaultRole } = await organizations.get(context.db, params.organizationId)
    const blank = {
      ssoUrl: null,
      entityId: null,
      certificate: null,
      defaultTeam: null,
      defaultRole: defaultRole as Role | null,
    }
    const row = configured(
      { ...blank, id: createId(), organizationId: params.organizationId, label: body.label, createdAt: new Date() },
      body,
    )
    if (!canGrant(membership, row.defaultRole)) throw new Failure('forbidden', 'Nobody grants a role above their own')
    await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      await requireTeam(tx, row, body)
      await repository.insert(tx, row)
    })
    return presentOne(context, row)
  },

  async getOrganizationSAMLProviderById({ params }, context) {
    requireIn(context.actor, params.organizationId, canAdminister)
    return presentOne(context, await repository.get(context.db, whichIn(params)))
  },

  async updateOrganizationSAMLProvider({ params, body }, context) {
    const membership = requireIn(context.actor, params.organizationId, canAdminister)
    if (!canGrant(membership, body.defaultRole ?? null))
      throw new Failure('forbidden', 'Nobody grants a role above their own')
    const row = await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const after = configured(await repository.lock(tx, whichIn(params)), body)
      await requireTeam(tx, after, body)
      await repository.save(tx, after)
      return after
    })
    return presentOne(context, row)
  },

  async deleteOrganizationSAMLProvider({ params }, context) {
    requireIn(context.actor, params.organizationId, canAdminister)
    await context.transaction(async tx => {
      await requireStill(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      await repository.remove(tx, whichIn(params))
    })
    return undefined
  },

  async listSSOProviderLoginsInOrganization({ params }, context) {
    if (!isMember(context.actor, params.organizationId)) throw new Failure('not_found', 'There is no such organization')
    const active = (await repository.listConfigured(context.db, params.organizationId)).filter(isActive)
    return {
      items: active.map(row => ({
        id: row.id,
        label: row.label,
        startURL: serviceOf(row, context.publicUrl).startURL,
      })),
    }
  },

  async getSamlServiceMetadata({ params }, context) {
    return metadata(await repository.get(context.db, whichIn(params)), context.sso)
  },

  async startSamlSignIn({ params }, context) {
    const provider = await active(context.db, params)
    const id = `_${createId()}`
    context.setLocation(await requestUrl(provider, context.sso, id))
    await signIns.remember(context.db, { id, provider: provider.id })
    return undefined
  },

  async receiveSamlResponse({ params, body }, context) {
    const provider = await active(context.db, params)
    return signedInPage(await signIn(context, provider, body.SAMLResponse))
  },
})

interface Which {
  organizationId: string
  samlProviderId: string
}

function whichIn({ organizationId, samlProviderId }: Which): repository.Which {
  return { organization: organizationId, provider: samlProviderId }
}

/** The provider, where people can sign in with it; one that is not configured yet does not exist for them. */
async function active(db: Db, params: Which): Promise<ActiveProvider> {
  const row = await repository.get(db, whichIn(params))
  if (!isActive(row)) throw new Failure('not_found', 'There is no such SAML provider')
  return row
}

/** A team that is named must be one of the organization, and stay until the provider is kept. */
async function requireTeam(db: Db, { organizationId }: ProviderRow, { defaultTeam }: Settings): Promise<void> {
  if (defaultTeam == null || (await teams.hold(db, { organization: organizationId, team: defaultTeam }))) return
  const details = [{ path: 'body.defaultTeam', message: 'is not a team of the organization' }]
  throw new Failure('not_found', 'body.defaultTeam: is not a team of the organization', { details })
}

async function presentOne(context: Context, row: ProviderRow) {
  const [presented] = await presentProviders(context, row.organizationId, [row])
  return presented as NonNullable<typeof presented>
}
