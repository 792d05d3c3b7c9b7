import type { FormBrowser, FormReply } from '@recto/testing'
import * as client from 'oauth4webapi'
import type { TestUser } from '../factories.ts'
import { publicUrl, type OAuthSetup } from './endpoint.ts'

/** Where the program of the tests is sent back to. */
export const callback = 'https://program.test/callback'

/** A program that speaks OAuth by a library of its own. */
export interface Program {
  server: client.AuthorizationServer
  client: client.Client
  options: {
    [client.customFetch]: (url: string, init: client.CustomFetchOptions<string, unknown>) => Promise<Response>
  }
  /** Begins an authorization. */
  begin(parameters?: Record<string, string>): Promise<Begun>
  /** Exchanges the answer for tokens. */
  exchange(begun: Begun, answer: URL): Promise<client.TokenEndpointResponse>
}

/** An authorization that was begun: its address, and what the program keeps. */
export interface Begun {
  url: string
  verifier: string
  state: string
}

export async function aProgram(setup: OAuthSetup, clientId: string): Promise<Program> {
  const options: Program['options'] = {
    [client.customFetch]: (url, init) => setup.fetch(url, init as RequestInit),
  }
  const issuer = new URL(publicUrl)
  const server = await client.processDiscoveryResponse(
    issuer,
    await client.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
  )
  const self: client.Client = { client_id: clientId }
  return {
    server,
    client: self,
    options,
    async begin(parameters = {}) {
      const verifier = client.generateRandomCodeVerifier()
      const state = client.generateRandomState()
      const url = new URL(server.authorization_endpoint ?? '')
      const all = {
        client_id: clientId,
        redirect_uri: callback,
        response_type: 'code',
        scope: 'read write',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        ...parameters,
      }
      for (const [name, value] of Object.entries(all)) if (value !== '') url.searchParams.set(name, value)
      return { url: url.href, verifier, state }
    },
    async exchange({ verifier, state }, answer) {
      const parameters = client.validateAuthResponse(server, self, answer, state)
      const reply = await client.authorizationCodeGrantRequest(
        server,
        self,
        client.None(),
        parameters,
        callback,
        verifier,
        options,
      )
      return client.processAuthorizationCodeResponse(server, self, reply)
    },
  }
}

/** A program that an organization has registered. */
export async function aRegisteredProgram(
  setup: OAuthSetup,
  { id, admin }: { id: string; admin: TestUser },
  redirectURIs = [callback],
): Promise<Program> {
  const body = { name: 'Wiki search', redirectURIs }
  const created = await (await admin.client()).createOAuthClient({ params: { organizationId: id }, body })
  return aProgram(setup, created.id)
}

/** Authorizes a program with a new browser, and returns its tokens. */
export async function authorize(
  setup: OAuthSetup,
  program: Program,
  { token, ...parameters }: { token: string; scope?: string },
): Promise<client.TokenEndpointResponse> {
  const begun = await program.begin(parameters)
  return program.exchange(begun, await decide(setup.browser(), begun.url, { token }))
}

/** Renews tokens. */
export async function refresh(
  { server, client: self, options }: Program,
  token: string | undefined,
): Promise<client.TokenEndpointResponse> {
  const reply = await client.refreshTokenGrantRequest(server, self, client.None(), token ?? '', options)
  return client.processRefreshTokenResponse(server, self, reply)
}

/** Signs in with a token, and decides; resolves to where the browser is sent. */
export async function decide(
  browser: FormBrowser,
  url: string,
  { token, decision = 'allow' }: { token: string; decision?: string },
): Promise<URL> {
  const consent = await browser.submit(await browser.follow(url), '/sign-in', { token })
  return locationOf(await browser.submit(consent, '/answer', { decision }))
}

/** Where a reply sends a browser. */
export function locationOf(reply: FormReply): URL {
  const location = reply.headers.get('location')
  if (location === null) throw new Error(`${reply.status} without a location: ${reply.text}`)
  return new URL(location)
}
