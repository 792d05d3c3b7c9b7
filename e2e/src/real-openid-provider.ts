import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider, type Configuration } from 'oidc-provider'

/** A provider that others maintain, certified by the OpenID Foundation: it signs everybody in as one user. */
export interface RealOpenIdProvider {
  issuer: string
  client: { id: string; secret: string }
  /** The addresses of requests that it was sent. */
  requests: URL[]
  /** Registers the addresses of the installation. */
  register(addresses: { redirect: string; signedOut: string; logout: string }): void
  stop(): Promise<void>
}

/** Starts it on the loopback interface. */
export async function aRealOpenIdProvider(claims: Record<string, unknown>): Promise<RealOpenIdProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const requests: URL[] = []
  const client = { id: 'recto', secret: 'a-secret-of-a-client-of-43-characters-or-so' }
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'first', use: 'sig' }
  return {
    issuer,
    client,
    requests,
    register(addresses) {
      const provider = new Provider(issuer, configurationOf(client, { key, claims, addresses }))
      // A sign-in asks nothing: it is completed as soon as it begins.
      server.removeAllListeners('request').on('request', (request, response) => {
        requests.push(new URL(request.url ?? '/', issuer))
        if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response)
        void completeInteraction(provider, request, response)
      })
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

type Addresses = Parameters<RealOpenIdProvider['register']>[0]

function configurationOf(
  client: RealOpenIdProvider['client'],
  { key, claims, addresses }: { key: object; claims: Record<string, unknown>; addresses: Addresses },
): Configuration {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [addresses.redirect],
        post_logout_redirect_uris: [addresses.signedOut],
        backchannel_logout_uri: addresses.logout,
        backchannel_logout_session_required: true,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    jwks: { keys: [key as never] },
    cookies: { keys: ['a-key-of-cookies'] },
    claims: { openid: ['sub', 'sid'], profile: ['name', 'plan'], email: ['email', 'email_verified'] },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...claims }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        // Its form is sent by a script; the user has asked for it at the site.
        logoutSource: (context, form) => {
          context.body = form
        },
      },
    },
    // Its own dispatcher refuses addresses of the loopback interface.
    fetch: (url, { dispatcher: _own, ...options }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, options),
  }
}

async function completeInteraction(
  provider: Provider,
  ...[request, response]: Parameters<Provider['interactionDetails']>
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: 'ada' } })
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}
