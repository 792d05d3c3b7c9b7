import { anOpenIdProvider, openIdTestClient, type OpenIdProvider } from '@recto/testing'
import { anOrganization, type TestUser } from '../factories.ts'
import type { IdentityClient, IdentitySetup } from '../identity-setup.ts'
import { aBrowser, type TestBrowser } from './browser.ts'

/** Settings under which identity reaches providers on this machine. */
export const reachesLoopback = { OUTGOING_ALLOW: '127.0.0.1', OIDC_TIMEOUT: '5000' }

/** An organization with an active OpenID provider. */
export interface OidcSignOn {
  organization: { id: string; admin: TestUser }
  params: { organizationId: string; oidcProviderId: string }
  provider: OpenIdProvider
  startUrl: string
  browser(): TestBrowser
  /** Begins a sign-in, and signs the user in at the provider; resolves to where the browser is sent back. */
  begin(email: string, browser: TestBrowser): Promise<URL>
  /** Signs in with a new browser, and returns the token on the page. */
  token(email: string): Promise<string>
}

type Settings = Parameters<IdentityClient['createOidcProvider']>[0]['body']

/** Creates a provider, which the caller stops, and registers the organization there. */
export async function anOidcSignOn(
  identity: IdentitySetup,
  options: Partial<Pick<OidcSignOn, 'organization' | 'provider'>> & Partial<Settings> = {},
): Promise<OidcSignOn> {
  const { organization: owner, provider: existing, ...settings } = options
  const organization = owner ?? (await anOrganization(identity))
  const provider = existing ?? (await anOpenIdProvider())
  const body = {
    label: 'Keycloak',
    issuer: provider.issuer,
    clientID: openIdTestClient.id,
    clientSecret: openIdTestClient.secret,
    emailDomains: ['*'],
    ...settings,
  }
  const admin = await organization.admin.client()
  const { id, service } = await admin.createOidcProvider({ params: { organizationId: organization.id }, body })
  const startUrl = service.startURL
  const begin: OidcSignOn['begin'] = async (email, browser) => {
    const { location = '' } = await browser.open(startUrl)
    return provider.authorize(location, email)
  }
  return {
    organization,
    provider,
    params: { organizationId: organization.id, oidcProviderId: id },
    startUrl,
    begin,
    browser: () => aBrowser(identity),
    async token(email) {
      const browser = aBrowser(identity)
      const { page } = await browser.open(await begin(email, browser))
      return /<code id="token">([^<]+)</.exec(page)?.[1] ?? ''
    },
  }
}
