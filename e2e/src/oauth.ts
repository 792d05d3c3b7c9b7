import { aFormBrowser, type FormBrowser } from '@recto/testing'
import * as oauth from 'oauth4webapi'
import { sendOk, type Person } from './people.ts'
import type { Installation } from './stack.ts'

/** Where the program of the tests is sent back to: nobody is there, the tests read the address. */
const callback = 'http://127.0.0.1/callback'

/** A program that an organization has registered, and that speaks OAuth by a library. */
export interface Program {
  clientId: string
  /** Begins an authorization: the address for a browser, and the exchange of its answer. */
  begin(scope?: string): Promise<{ url: string; exchange(answer: URL): Promise<oauth.TokenEndpointResponse> }>
  /** Lets a person allow it; resolves to its tokens. */
  authorize(person: Person, scope?: string): Promise<oauth.TokenEndpointResponse>
  /** Renews tokens; rejects with the error of the server. */
  refresh(token: string | undefined): Promise<oauth.TokenEndpointResponse>
  revoke(token: string): Promise<void>
}

/** A browser at an installation. */
export const browserAt = ({ url }: Installation): FormBrowser =>
  aFormBrowser((address, init) => fetch(address, init), url)

/** Registers a program of an organization. */
export async function aProgram(
  stack: Installation,
  { id, admin }: { id: string; admin: Person },
  redirectUri = callback,
): Promise<Program> {
  const { id: clientId } = await sendOk<{ id: string }>(stack, admin, {
    method: 'POST',
    path: `/orgs/${id}/oauth-clients`,
    body: { name: 'Wiki search', redirectURIs: [redirectUri] },
  })
  const options = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(stack.url)
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options })
  const server = await oauth.processDiscoveryResponse(issuer, discovery)
  const client = { client_id: clientId }
  const begin: Program['begin'] = scope => beginAt({ server, client, options, redirectUri }, scope)
  return {
    clientId,
    begin,
    async authorize(person, scope) {
      const { url, exchange } = await begin(scope)
      return exchange(await allow(browserAt(stack), url, person))
    },
    async refresh(token = '') {
      const reply = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, options)
      return oauth.processRefreshTokenResponse(server, client, reply)
    },
    async revoke(token) {
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), token, options))
    },
  }
}

interface Registered {
  server: oauth.AuthorizationServer
  client: oauth.Client
  options: oauth.TokenEndpointRequestOptions
  redirectUri: string
}

async function beginAt(
  { server, client, options, redirectUri }: Registered,
  scope = 'read write',
): ReturnType<Program['begin']> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }
  return {
    url: `${server.authorization_endpoint}?${new URLSearchParams(parameters)}`,
    async exchange(answer) {
      const code = oauth.validateAuthResponse(server, client, answer, state)
      const reply = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        code,
        redirectUri,
        verifier,
        options,
      )
      return oauth.processAuthorizationCodeResponse(server, client, reply)
    },
  }
}

/** Signs a person in at the page of an address, and allows what is asked; resolves to where the browser is sent. */
async function allow(browser: FormBrowser, url: string, { token }: Person): Promise<URL> {
  const consent = await browser.submit(await browser.follow(url), '/sign-in', { token })
  const { headers } = await browser.submit(consent, '/answer', { decision: 'allow' })
  return new URL(headers.get('location') ?? '')
}

/** Creates a program of an organization, a grant of its admin, and their session; resolves to their ids, by the kinds of ids of tenants. */
export async function aGrant(
  stack: Installation,
  organization: { id: string; admin: Person },
): Promise<{ oauthClientId: string[]; oauthGrantId: string[]; sessionId: string[] }> {
  const program = await aProgram(stack, organization)
  await program.authorize(organization.admin)
  const idsAt = async (path: string) =>
    (await sendOk<{ items: { id: string }[] }>(stack, organization.admin, { method: 'GET', path })).items.map(
      ({ id }) => id,
    )
  return {
    oauthClientId: [program.clientId],
    oauthGrantId: await idsAt('/user/grants'),
    sessionId: await idsAt('/user/sessions'),
  }
}
