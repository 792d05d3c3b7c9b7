import { oidc } from '@recto/contracts-identity'
import { recorded } from '@recto/contracts-shared'
import type { Db } from '@recto/database'
import type { Role } from '@recto/actor'
import { OpenIdFailure } from '@recto/openid'
import { changedFields, createId, Failure, feature } from '@recto/operation'
import { requireCanGrant } from '../invites/invites.policy.ts'
import { requireCurrentMembership } from '../members/current-membership.ts'
import { canAdminister, requireMembership } from '../organizations/organizations.policy.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { afterSignIn } from '../oauth/after-sign-in.ts'
import { interactionId } from '../oauth/interaction-path.ts'
import { requireDefaultTeam } from '../sign-ins/default-team.ts'
import { refusalOf } from '../sign-ins/refusal.ts'
import { checksOf, cookieOf, expiredCookieOf, hashOf, newBrowserSecret, originOf } from './browser.rules.ts'
import { clientSecrets } from './client-secrets.ts'
import { endSignIns } from './end-sign-ins.ts'
import { presentProviders } from './present-providers.ts'
import type { OidcProviderRow } from './provider.entity.ts'
import {
  applySettings,
  defaultScopes,
  endsSignIns,
  isActive,
  serviceUrls,
  type ActiveProvider,
  type ProviderSettings,
} from './provider.rules.ts'
import * as repository from './providers.repository.ts'
import { registrationOf } from './registration.ts'
import { refusedBy, signIn } from './sign-in.ts'
import * as signIns from './sign-ins.repository.ts'
import { signOut } from './sign-out.ts'

export const oidcFeature = feature<BaseContext>()(oidc, {
  async listOidcProvidersInOrganization({ params, query }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const page = await repository.list(context.db, params.organizationId, {
      ...query,
      cursorKey: context.cursorKey(),
    })
    return { ...page, items: await presentProviders(context, params.organizationId, page.items) }
  },

  async createOidcProvider({ params, body }, context) {
    const { organizationId } = params
    const membership = requireMembership(context.actor, organizationId, canAdminister)
    const { defaultRole } = await organizations.get(context.db, organizationId)
    const blank: OidcProviderRow = {
      id: createId(),
      organizationId,
      label: body.label,
      issuer: null,
      clientId: null,
      clientSecret: null,
      emailDomains: [],
      scopes: defaultScopes,
      defaultTeam: null,
      defaultRole: defaultRole as Role | null,
      createdAt: new Date(),
    }
    const row = applySettings(blank, settingsOf(body, blank.id, context))
    requireCanGrant(membership, row.defaultRole)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: organizationId, can: canAdminister })
      await requireDefaultTeam(tx, organizationId, body)
      await repository.insert(tx, row)
      tx.record(recorded('oidc-provider.created', placeOf(row)))
    })
    return presentOne(context, row)
  },

  async getOidcProvider({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    return presentOne(context, await repository.get(context.db, providerKey(params)))
  },

  async updateOidcProvider({ params, body }, context) {
    const membership = requireMembership(context.actor, params.organizationId, canAdminister)
    requireCanGrant(membership, body.defaultRole ?? null)
    const row = await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      const before = await repository.getForUpdate(tx, providerKey(params))
      const after = applySettings(before, settingsOf(body, before.id, context))
      await requireDefaultTeam(tx, params.organizationId, body)
      await repository.save(tx, after)
      const revokedTokens = endsSignIns(before, after) ? await endSignIns(tx, before.id) : 0
      const fields = changedFields(before, after)
      if (fields.length > 0)
        tx.record(recorded('oidc-provider.updated', { ...placeOf(after), details: { fields, revokedTokens } }))
      return after
    })
    return presentOne(context, row)
  },

  async deleteOidcProvider({ params }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization: params.organizationId, can: canAdminister })
      if (!(await repository.lock(tx, providerKey(params)))) return
      const { organizationId: organization, oidcProviderId: oidcProvider } = params
      const revokedTokens = await endSignIns(tx, oidcProvider)
      await repository.remove(tx, providerKey(params))
      tx.record(recorded('oidc-provider.deleted', { organization, oidcProvider, details: { revokedTokens } }))
    })
    return undefined
  },

  async startOidcSignIn({ params, query: { interaction } }, context) {
    const provider = await getActiveProvider(context.db, params)
    const browser = newBrowserSecret(interactionId(interaction))
    context.setLocation(await startUrl(context, provider, browser))
    context.setCookie(cookieOf(browser, context.publicUrl))
    await signIns.insert(context.db, { state: browser.state, provider: provider.id, browserHash: hashOf(browser) })
    return undefined
  },

  async completeOidcSignIn({ params, query, headers }, context) {
    const provider = await getActiveProvider(context.db, params)
    const { state, code, iss, error } = query
    const signedIn = await signIn(context, provider, { response: { state, code, iss, error }, cookies: headers.cookie })
    context.setCookie(expiredCookieOf(state ?? '', context.publicUrl))
    return afterSignIn(context, signedIn, originOf(state))
  },

  async receiveOidcLogout({ params, body }, context) {
    await signOut(context, await getActiveProvider(context.db, params), body.logout_token)
    return undefined
  },

  async startOidcLogout({ params }, context) {
    const provider = await getActiveProvider(context.db, params)
    const url = await context.openId.endSessionUrl(registrationOf(provider, context)).catch((error: unknown) => {
      if (!(error instanceof OpenIdFailure)) throw error
      throw new Failure('unavailable', 'The provider cannot be reached', { cause: error, retryAfter: 60 })
    })
    if (url === undefined) throw new Failure('not_found', 'The provider has no address that signs out')
    context.setLocation(url)
    return undefined
  },
})

interface ProviderParams {
  organizationId: string
  oidcProviderId: string
}

/** The ids of a provider in records of changes. */
function placeOf({ organizationId, id }: OidcProviderRow) {
  return { organization: organizationId, oidcProvider: id }
}

function providerKey({ organizationId, oidcProviderId }: ProviderParams): repository.ProviderKey {
  return { organization: organizationId, provider: oidcProviderId }
}

/** The provider; throws `not_found` when it is not completely configured. */
async function getActiveProvider(db: Db, params: ProviderParams): Promise<ActiveProvider> {
  const row = await repository.get(db, providerKey(params))
  if (!isActive(row)) throw new Failure('not_found', 'There is no such OpenID provider')
  return row
}

type RequestedSettings = Omit<ProviderSettings, 'clientSecret'> & { clientSecret?: string | null | undefined }

/** The settings of a request, with the secret encrypted for the provider. */
function settingsOf(body: RequestedSettings, id: string, { signingSecret }: BaseContext): ProviderSettings {
  const { clientSecret, ...rest } = body
  if (clientSecret === undefined) return rest
  return { ...rest, clientSecret: clientSecret ? clientSecrets.seal(clientSecret, id, signingSecret) : null }
}

/** The address that a sign-in starts with; a provider that cannot be used is logged, and refused like an answer of its. */
async function startUrl(
  context: BaseContext,
  provider: ActiveProvider,
  browser: ReturnType<typeof newBrowserSecret>,
): Promise<string> {
  try {
    const { redirectURL: redirectUri } = serviceUrls(provider, context.publicUrl)
    const request = { ...checksOf(browser), redirectUri, scopes: provider.scopes }
    return await context.openId.authorizationUrl(registrationOf(provider, context), request)
  } catch (error) {
    const refused = refusedBy(error)
    const place = { provider: provider.id, organization: provider.organizationId }
    context.log.warn({ ...place, ...refusalOf(refused) }, 'a single sign-on could not be started')
    throw refused
  }
}

async function presentOne(context: Context, row: OidcProviderRow) {
  const [presented] = await presentProviders(context, row.organizationId, [row])
  return presented as NonNullable<typeof presented>
}
