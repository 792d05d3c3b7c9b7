import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { aProviderKey, signWith, type Claims, type ProviderKey } from './provider-key.ts'

/** The client of every OpenID provider for tests; its secret has what a form has to encode. */
export const openIdTestClient = { id: 'recto-docs', secret: 'a-client-secret: 100% +' }

/** How a provider signs users in, and how it differs from one that does all right; undefined fields are left out of what it sends. */
export interface ProviderBehaviour {
  /** The claims of whom it signs in, unless who comes is named. */
  user: Claims
  /** Replaces fields of its metadata. */
  metadata: Claims
  /** Replaces claims of ID tokens. */
  claims: Claims
  /** Signs ID tokens. */
  sign: ((claims: Claims) => Promise<string> | string) | undefined
  /** Replaces fields of the reply of the token endpoint. */
  tokens: Claims
  /** Replaces claims of the userinfo endpoint. */
  userinfo: Claims
  /** Replaces parameters with which it sends browsers back: `iss` (RFC 9207), `error`, `code`. */
  response: Record<string, string | undefined>
  /** Runs while it is asked for tokens. */
  beforeTokens: (() => Promise<unknown>) | undefined
  /** Answers requests of a path instead; a function that does nothing never answers. */
  answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>
}

/** An OpenID provider in the test process, over http on loopback. Its behaviour is what it has as properties. */
export interface OpenIdProvider extends ProviderBehaviour {
  issuer: string
  client: typeof openIdTestClient
  /** The keys that it publishes; the first one signs. */
  keys: ProviderKey[]
  /** Requests as they came, with the form of a POST. */
  requests: { path: string; query: URLSearchParams; form: URLSearchParams; authorization: string | undefined }[]
  /** Replaces all of its behaviour: the rest is as at the start. */
  behave(behaviour: Partial<ProviderBehaviour>): void
  /** Signs in a user by their e-mail, as in a browser that came to the address; resolves to where the browser is sent back. */
  authorize(location: string, email: string): Promise<URL>
  /** Signs claims as this provider does. */
  signClaims(claims: Claims, options?: { key?: ProviderKey; header?: Claims }): Promise<string>
  /** Signs a logout token for its client; `claims` replace those that it has. */
  logoutToken(claims: Claims, header?: Claims): Promise<string>
  stop(): Promise<void>
}

/** A code that the provider gave to a browser, with the claims of who is named. */
interface StoredCode {
  person: Claims
  query: URLSearchParams
}

interface Exchange {
  provider: OpenIdProvider
  codes: Map<string, StoredCode>
  people: Map<string, Claims>
  response: ServerResponse
}

/** Starts a provider on the loopback interface, which signs everybody in. */
export async function anOpenIdProvider(): Promise<OpenIdProvider> {
  const codes = new Map<string, StoredCode>()
  const people = new Map<string, Claims>()
  const server = createServer((request, response) => {
    void answer(request, { provider, codes, people, response }).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const provider: OpenIdProvider = Object.assign(defaultBehaviour(), {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    client: openIdTestClient,
    keys: [await aProviderKey()],
    requests: [],
    behave: (next: Partial<ProviderBehaviour>) => void Object.assign(provider, defaultBehaviour(), next),
    authorize: (location: string, email: string) => {
      const code = { person: { sub: `sub of ${email}`, email }, query: new URL(location).searchParams }
      return Promise.resolve(addressBack(provider, codes, code))
    },
    signClaims: (claims: Claims, { key, header }: { key?: ProviderKey; header?: Claims } = {}) =>
      signWith(key ?? signingKey(provider), claims, header),
    logoutToken: (claims: Claims, header: Claims = {}) =>
      signWith(signingKey(provider), Object.assign(logoutClaims(provider), claims), { typ: 'logout+jwt', ...header }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise<void>(resolve => void server.close(() => resolve()))
    },
  })
  return provider
}

function defaultBehaviour(): ProviderBehaviour {
  return {
    user: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' },
    metadata: {},
    claims: {},
    sign: undefined,
    tokens: {},
    userinfo: {},
    response: {},
    beforeTokens: undefined,
    answers: {},
  }
}

function signingKey({ keys: [key] }: OpenIdProvider): ProviderKey {
  if (!key) throw new Error('A provider has a key that signs')
  return key
}

async function answer(request: IncomingMessage, exchange: Exchange): Promise<void> {
  const { provider, response } = exchange
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', provider.issuer)
  const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '')
  const { authorization } = request.headers
  provider.requests.push({ path, query, form, authorization })
  const other = provider.answers[path]
  if (other) return other(request, response)
  if (path === '/.well-known/openid-configuration') return sendJson(response, metadataOf(provider))
  if (path === '/keys') return sendJson(response, { keys: provider.keys.map(({ jwk }) => jwk) })
  if (path === '/authorize')
    return redirect(response, addressBack(provider, exchange.codes, { person: {}, query }).href)
  if (path === '/token') return sendTokens(exchange, { form, authorization })
  if (path === '/userinfo') return sendUserInfo(exchange, authorization)
  if (path === '/logout') return redirect(response, query.get('post_logout_redirect_uri') ?? provider.issuer)
  response.writeHead(404).end()
}

function metadataOf({ issuer, metadata }: OpenIdProvider): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/logout`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'EdDSA', 'HS256', 'none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...metadata,
  }
}

/** Where a browser is sent back to, with a code that is stored. */
function addressBack(provider: OpenIdProvider, codes: Map<string, StoredCode>, storedCode: StoredCode): URL {
  const code = randomUUID()
  codes.set(code, storedCode)
  const { query } = storedCode
  const url = new URL(query.get('redirect_uri') ?? '')
  const parameters = { code, state: query.get('state') ?? '', iss: provider.issuer, ...provider.response }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

interface TokenRequest {
  form: URLSearchParams
  authorization: string | undefined
}

async function sendTokens({ provider, codes, people, response }: Exchange, request: TokenRequest): Promise<void> {
  // A logout that comes meanwhile is never older than the tokens, although both are of whole seconds.
  const now = Math.floor(Date.now() / 1000)
  await provider.beforeTokens?.()
  const { form } = request
  if (!isClient(provider, request)) return sendJson(response, { error: 'invalid_client' }, 401)
  const code = form.get('code') ?? ''
  const storedCode = codes.get(code)
  codes.delete(code)
  if (!storedCode || !isRequestOf(storedCode, form)) return sendJson(response, { error: 'invalid_grant' }, 400)
  const accessToken = randomUUID()
  people.set(accessToken, storedCode.person)
  const nonce = storedCode.query.get('nonce') ?? ''
  const claims = {
    iss: provider.issuer,
    aud: provider.client.id,
    sid: `sid of ${nonce}`,
    iat: now,
    exp: now + 3_600,
    nonce,
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    ...provider.user,
    ...storedCode.person,
    ...provider.claims,
  }
  const sign = provider.sign ?? provider.signClaims
  const idToken = await sign(JSON.parse(JSON.stringify(claims)) as Claims)
  const tokens = { access_token: accessToken, token_type: 'Bearer', expires_in: 3_600, id_token: idToken }
  sendJson(response, Object.assign(tokens, provider.tokens))
}

/** Whether a token request has the secret, by HTTP Basic (RFC 6749, section 2.3.1) or in the form. */
function isClient({ client }: OpenIdProvider, { form, authorization }: TokenRequest): boolean {
  if (authorization === undefined)
    return form.get('client_id') === client.id && form.get('client_secret') === client.secret
  const basic = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  return decodeURIComponent(basic.replaceAll('+', ' ')) === `${client.id}:${client.secret}`
}

/** Whether a code is redeemed by who asked for it (RFC 7636), at the address that it was sent to. */
function isRequestOf({ query }: StoredCode, form: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  return challenge === query.get('code_challenge') && form.get('redirect_uri') === query.get('redirect_uri')
}

function sendUserInfo({ provider, people, response }: Exchange, authorization = ''): void {
  const person = people.get(authorization.replace(/^Bearer /, ''))
  if (!person) return sendJson(response, {}, 401)
  sendJson(response, { ...provider.user, ...person, ...provider.userinfo })
}

function logoutClaims({ issuer, client }: OpenIdProvider): Claims {
  const now = Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  return { iss: issuer, aud: client.id, iat: now, exp: now + 120, jti: randomUUID(), events }
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end()
}
