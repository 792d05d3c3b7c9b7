import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'

/** A code that the provider gave to a browser. */
interface StoredCode {
  clientId: string
  redirectUri: string
  nonce: string
  challenge: string
}

/** An OpenID provider that signs everybody in as its user, and can be made to fail in the ways in which others do. */
export interface OpenIdProvider {
  issuer: string
  client: { id: string; secret: string }
  /** The claims of whom it signs in. */
  user: Record<string, unknown>
  /** Claims that replace those of the next ID tokens; undefined leaves one out. */
  idToken: Record<string, unknown>
  /** Fields that replace those of its metadata. */
  metadata: Record<string, unknown>
  /** The key that signs: of another one nobody knows. */
  signsWith: 'its key' | 'another key'
  /** The `iss` that it adds to its answers (RFC 9207); undefined leaves it out. */
  answersAs: string | undefined
  /** Paths that it never answers. */
  stalls: Set<string>
  /** The error with which it sends browsers back, where it refuses them. */
  refuses: string | undefined
  /** Runs while it is asked for tokens. */
  beforeTokens: (() => Promise<void>) | undefined
  /** Requests as they came, with the form of a POST. */
  requests: { path: string; query: URLSearchParams; form: URLSearchParams; authorization: string | undefined }[]
  /** Signs a logout token for its client; `claims` replace those that it has, undefined leaves one out. */
  logoutToken(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  stop(): Promise<void>
}

type State = Omit<OpenIdProvider, 'logoutToken' | 'stop'>

interface Keys {
  own: CryptoKey
  foreign: CryptoKey
  jwks: object
}

/** Starts a provider on the loopback interface. */
export async function anOpenIdProvider(): Promise<OpenIdProvider> {
  const keys = await someKeys()
  const state: State = {
    issuer: '',
    client: { id: 'recto', secret: `secret-${randomUUID()}` },
    user: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    idToken: {},
    metadata: {},
    signsWith: 'its key',
    answersAs: undefined,
    stalls: new Set(),
    refuses: undefined,
    beforeTokens: undefined,
    requests: [],
  }
  const codes = new Map<string, StoredCode>()
  const server = createServer((request, response) => {
    void answer({ request, response, state, keys, codes }).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  state.answersAs = state.issuer
  return Object.assign(state, {
    logoutToken: (claims: Record<string, unknown>, header: Record<string, unknown> = {}) =>
      sign({ ...logoutClaims(state), ...claims }, { state, keys, header: { typ: 'logout+jwt', ...header } }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  })
}

async function someKeys(): Promise<Keys> {
  const own = await generateKeyPair('ES256')
  const foreign = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'first', alg: 'ES256', use: 'sig' }
  return { own: own.privateKey, foreign: foreign.privateKey, jwks: { keys: [jwk] } }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  state: State
  keys: Keys
  codes: Map<string, StoredCode>
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, state, keys } = exchange
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', state.issuer)
  const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '')
  state.requests.push({ path, query, form, authorization: request.headers.authorization })
  if (state.stalls.has(path)) return
  if (path === '/.well-known/openid-configuration') return sendJson(response, metadataOf(state))
  if (path === '/jwks') return sendJson(response, keys.jwks)
  if (path === '/authorize') return authorize(exchange, query)
  if (path === '/token') return sendTokens(exchange, form)
  if (path === '/userinfo') return sendJson(response, state.user)
  if (path === '/logout') return redirect(response, query.get('post_logout_redirect_uri') ?? state.issuer)
  response.writeHead(404).end()
}

function metadataOf({ issuer, metadata }: State): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/logout`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...metadata,
  }
}

function authorize({ response, state, codes }: Exchange, query: URLSearchParams): void {
  const redirectUri = query.get('redirect_uri') ?? ''
  const target = new URL(redirectUri)
  target.searchParams.set('state', query.get('state') ?? '')
  if (state.answersAs !== undefined) target.searchParams.set('iss', state.answersAs)
  if (state.refuses !== undefined) {
    target.searchParams.set('error', state.refuses)
    return redirect(response, target.href)
  }
  const code = randomUUID()
  codes.set(code, {
    clientId: query.get('client_id') ?? '',
    redirectUri,
    nonce: query.get('nonce') ?? '',
    challenge: query.get('code_challenge') ?? '',
  })
  target.searchParams.set('code', code)
  redirect(response, target.href)
}

async function sendTokens({ request, response, state, keys, codes }: Exchange, form: URLSearchParams): Promise<void> {
  const { client } = state
  await state.beforeTokens?.()
  // Both are encoded as in a form before they are joined (RFC 6749, 2.3.1).
  const credentials = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
  if (decodeURIComponent(credentials) !== `${client.id}:${client.secret}`)
    return sendJson(response, { error: 'invalid_client' }, 401)
  const code = form.get('code') ?? ''
  const storedCode = codes.get(code)
  codes.delete(code)
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (!storedCode || storedCode.challenge !== challenge || storedCode.redirectUri !== form.get('redirect_uri'))
    return sendJson(response, { error: 'invalid_grant' }, 400)
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: state.issuer, aud: storedCode.clientId, nonce: storedCode.nonce, iat: now, exp: now + 3_600 }
  const idToken = await sign({ ...claims, ...state.user, ...state.idToken }, { state, keys, header: {} })
  sendJson(response, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 3_600, id_token: idToken })
}

function logoutClaims({ issuer, client }: State): object {
  const now = Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  return { iss: issuer, aud: client.id, iat: now, exp: now + 120, jti: randomUUID(), events }
}

async function sign(
  claims: Record<string, unknown>,
  { state, keys, header }: { state: State; keys: Keys; header: Record<string, unknown> },
): Promise<string> {
  const payload = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
  const key = state.signsWith === 'its key' ? keys.own : keys.foreign
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'first', ...header }).sign(key)
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end()
}
