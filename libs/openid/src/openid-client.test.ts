import { randomBytes } from 'node:crypto'
import { anOpenIdProvider, signedByAnother, type OpenIdProvider } from '@recto/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { OpenIdReason } from './openid-failure.ts'
import {
  createOpenIdClient,
  type OpenIdClient,
  type OpenIdClientOptions,
  type OpenIdSettings,
} from './openid-client.ts'

const redirectUri = 'https://docs.test/back'
const random = () => randomBytes(32).toString('base64url')

let provider: OpenIdProvider
let client: OpenIdClient
let settings: OpenIdSettings
const clients: OpenIdClient[] = []

function aClient(options: Partial<OpenIdClientOptions> = {}): OpenIdClient {
  const created = createOpenIdClient({ allow: '127.0.0.1', ...options })
  clients.push(created)
  return created
}

beforeEach(async () => {
  provider = await anOpenIdProvider()
  client = aClient()
  settings = { issuer: provider.issuer, clientId: provider.client.id, clientSecret: provider.client.secret }
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map(each => each.close()))
  await provider.stop()
})

interface Started {
  redirectUri: string
  state: string
  nonce: string
  verifier: string
}

/** Starts a sign-in, and goes to the provider as a browser does; resolves to what it comes back with. */
async function authorized(): Promise<Started & { query: string }> {
  const started = { redirectUri, state: random(), nonce: random(), verifier: random() }
  const url = await client.authorizationUrl(settings, { ...started, scopes: ['email'] })
  const { headers } = await fetch(url, { redirect: 'manual' })
  return { ...started, query: new URL(headers.get('location') ?? '').search.slice(1) }
}

/** Signs in, and asks for the claims of the user. */
async function signIn(): Promise<void> {
  const signedIn = await client.exchange(settings, await authorized())
  await signedIn.userInfo()
}

describe('a sign-in', () => {
  it('has the claims of the user, and the ID token', async () => {
    provider.user = { ...provider.user, sid: 'a-session', plan: 'pro' }
    const signedIn = await client.exchange(settings, await authorized())
    expect(await signedIn.userInfo()).toEqual(provider.user)
    expect(signedIn).toMatchObject({ sub: 'ada', sid: 'a-session', claims: { plan: 'pro', email: 'ada@example.com' } })
    expect(signedIn.expiresAt).toBeGreaterThan(Date.now())
    const authorization = provider.requests.find(({ path }) => path === '/authorize')
    expect(authorization?.query.get('scope')).toBe('openid email')
    expect(authorization?.query.get('code_challenge_method')).toBe('S256')
  })

  it('asks for the metadata of a provider once', async () => {
    await client.exchange(settings, await authorized())
    await client.exchange(settings, await authorized())
    expect(provider.requests.filter(({ path }) => path.startsWith('/.well-known'))).toHaveLength(1)
  })

  it('takes an ID token of a provider whose clock is a minute off, and no more', async () => {
    const now = Math.floor(Date.now() / 1000)
    provider.claims = { exp: now - 50 }
    expect((await client.exchange(settings, await authorized())).sub).toBe('ada')
    provider.claims = { exp: now - 70 }
    await expect(client.exchange(settings, await authorized())).rejects.toMatchObject({ reason: 'expired' })
  })

  const wrong: [string, OpenIdReason, (provider: OpenIdProvider) => void][] = [
    ['an ID token for another client', 'audience', of => void (of.claims = { aud: 'another' })],
    ['an ID token of another issuer', 'issuer', of => void (of.claims = { iss: 'https://evil.test' })],
    ['an ID token of another sign-in', 'nonce', of => void (of.claims = { nonce: 'another' })],
    ['an ID token without a nonce', 'token_response', of => void (of.claims = { nonce: undefined })],
    ['an ID token that has expired', 'expired', of => void (of.claims = { exp: 1_000_000 })],
    ['an ID token by an unknown key', 'signature', of => void (of.sign = signedByAnother(of))],
    ['an answer of another issuer', 'response_issuer', of => void (of.response = { iss: 'https://evil.test' })],
    ['an answer without the issuer that it promises', 'response_issuer', of => void (of.response = { iss: undefined })],
    ['a refusal', 'provider_error', of => void (of.response = { error: 'access_denied', code: undefined })],
    ['metadata of another issuer', 'discovery', of => void (of.metadata = { issuer: 'https://evil.test' })],
    ['no JSON', 'discovery', of => void (of.metadata = { toJSON: () => undefined })],
    ['no keys', 'discovery', of => void (of.metadata = { jwks_uri: undefined })],
    [
      'an address that is no provider',
      'discovery',
      of => void (of.metadata = { token_endpoint: 'file:///etc/passwd' }),
    ],
    [
      'a script as its address',
      'discovery',
      of => void (of.metadata = { authorization_endpoint: 'javascript:alert(1)' }),
    ],
    ['a private address', 'token_endpoint', of => void (of.metadata = { token_endpoint: 'https://10.0.0.1/token' })],
    [
      'the hash of another access token',
      'access_token',
      of => void (of.claims = { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
    ],
    [
      'a logout address without TLS',
      'discovery',
      of => void (of.metadata = { end_session_endpoint: 'http://evil.test' }),
    ],
    [
      'no algorithm that it signs with',
      'algorithm',
      of => void (of.metadata = { id_token_signing_alg_values_supported: undefined }),
    ],
    ['a user of another subject', 'user_info', of => void (of.claims = { sub: 'eve' })],
  ]
  it.each(wrong)('is refused that has %s', async (_title, reason, change) => {
    change(provider)
    await expect(signIn()).rejects.toMatchObject({ reason })
  })

  it('is refused with the state, nonce or verifier of another one', async () => {
    for (const other of [{ state: random() }, { nonce: random() }, { verifier: random() }])
      await expect(client.exchange(settings, { ...(await authorized()), ...other })).rejects.toMatchObject({
        reason: expect.stringMatching(/^(token_response|nonce|token_request)$/),
      })
  })

  it.each<[string, string[] | undefined, string | undefined]>([
    ['HTTP Basic', undefined, 'a-secret'],
    ['HTTP Basic', ['client_secret_post', 'client_secret_basic'], 'a-secret'],
    ['the form', ['private_key_jwt', 'client_secret_post'], 'a-secret'],
    ['nothing', ['client_secret_basic', 'none'], undefined],
  ])('proves the client by %s, where the provider announces %j and the secret is %s', async (by, methods, secret) => {
    provider.metadata = { token_endpoint_auth_methods_supported: methods }
    settings = { ...settings, clientSecret: secret }
    // The provider knows another secret: only what it is asked matters here.
    await expect(signIn()).rejects.toMatchObject({ reason: 'token_request' })
    const request = provider.requests.find(({ path }) => path === '/token')
    const basic = `Basic ${Buffer.from(`${provider.client.id}:a-secret`.replaceAll('-', '%2D')).toString('base64')}`
    expect(request?.authorization).toBe(by === 'HTTP Basic' ? basic : undefined)
    expect(request?.form.get('client_secret')).toBe(by === 'the form' ? 'a-secret' : null)
    expect(request?.form.get('client_id')).toBe(by === 'HTTP Basic' ? null : provider.client.id)
  })

  it('is refused with a code that was used', async () => {
    const response = await authorized()
    await client.exchange(settings, response)
    await expect(client.exchange(settings, response)).rejects.toMatchObject({ reason: 'token_request' })
  })

  it('fails in time when the provider never answers, at any step', async () => {
    client = aClient({ timeoutMs: 200 })
    for (const path of ['/.well-known/openid-configuration', '/token', '/keys', '/userinfo']) {
      client = aClient({ timeoutMs: 200 })
      provider.answers = { [path]: () => undefined }
      await expect(signIn()).rejects.toMatchObject({ isUnreachable: true })
    }
  })

  it('fails when the provider answers more than a limit', async () => {
    client = aClient({ maxBytes: 2_000 })
    provider.metadata = { service_documentation: 'x'.repeat(2_000) }
    await expect(authorized()).rejects.toMatchObject({ reason: 'discovery', isUnreachable: true })
  })

  it('reaches no provider at a private address that the installation does not allow', async () => {
    client = aClient({ allow: '' })
    await expect(authorized()).rejects.toMatchObject({ reason: 'discovery', isUnreachable: true })
    expect(provider.requests).toEqual([])
  })

  it('names the secret of the client in no failure', async () => {
    settings = { ...settings, clientSecret: 'a-wrong-secret' }
    const failure = await signIn().catch((error: unknown) => error)
    expect(failure).toMatchObject({ reason: 'token_request' })
    expect(JSON.stringify([String(failure), failure])).not.toContain('a-wrong-secret')
  })
})

describe('a logout', () => {
  it('leads to the provider where it has an address for it', async () => {
    const url = new URL((await client.endSessionUrl(settings, { idToken: 'x', returnTo: 'https://docs.test/' })) ?? '')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: provider.client.id,
      id_token_hint: 'x',
      post_logout_redirect_uri: 'https://docs.test/',
    })
    provider.metadata = { end_session_endpoint: undefined }
    client = aClient()
    expect(await client.endSessionUrl(settings, { returnTo: 'https://docs.test/' })).toBeUndefined()
  })

  it('by the provider names a session, or a user', async () => {
    const verify = async (claims: object) =>
      client.verifyLogoutToken(settings, await provider.logoutToken({ ...claims }))
    const token = { tokenId: expect.any(String), issuedAt: expect.any(Number), expiresAt: expect.any(Number) }
    expect(await verify({ sid: 's' })).toEqual({ sid: 's', ...token })
    expect(await verify({ sub: 'ada' })).toEqual({ sub: 'ada', ...token })
  })

  const now = Math.floor(Date.now() / 1000)
  it.each<[string, OpenIdReason, Record<string, unknown>, Record<string, unknown>]>([
    ['for another client', 'audience', { aud: 'another' }, {}],
    ['of another issuer', 'issuer', { iss: 'https://evil.test' }, {}],
    ['without its event', 'structure', { events: undefined }, {}],
    ['with another event', 'events', { events: { 'https://evil.test': {} } }, {}],
    [
      'with an event that is no object',
      'events',
      { events: { 'http://schemas.openid.net/event/backchannel-logout': 1 } },
      {},
    ],
    ['with a nonce, as an ID token has it', 'nonce', { nonce: 'x' }, {}],
    ['without a subject', 'subject', { sub: undefined }, {}],
    ['that is old', 'expired', { iat: now - 600 }, {}],
    ['that has expired', 'expired', { exp: now - 120 }, {}],
    ['without an expiry', 'time_missing', { exp: undefined }, {}],
    ['without an id', 'structure', { jti: undefined }, {}],
    ['of another type', 'structure', {}, { typ: 'at+jwt' }],
    ['by an unknown key', 'key_unknown', {}, { kid: 'another' }],
  ])('is refused with a token %s (%s)', async (_title, reason, claims, header) => {
    const token = await provider.logoutToken({ sub: 'ada', ...claims }, header)
    await expect(client.verifyLogoutToken(settings, token)).rejects.toMatchObject({ reason })
  })

  it('is refused with a token that its secret signs, or nothing', async () => {
    const claims = Buffer.from(JSON.stringify({ sub: 'ada' })).toString('base64url')
    for (const alg of ['none', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'logout+jwt' })).toString('base64url')
      await expect(client.verifyLogoutToken(settings, `${header}.${claims}.AAAA`)).rejects.toMatchObject({
        reason: 'algorithm',
      })
    }
    await expect(client.verifyLogoutToken(settings, 'nothing')).rejects.toMatchObject({ reason: 'structure' })
  })
})
