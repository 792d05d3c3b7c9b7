import { createId } from '@recto/operation'
import { aProviderKey, failure, openIdTestClient } from '@recto/testing'
import { UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aMember } from '../test/factories.ts'
import { gatewayActors } from '../test/gateway-actors.ts'
import type { IdentityClient, IdentitySetup } from '../test/identity-setup.ts'
import { anOidcSignOn, reachesLoopback, type OidcSignOn } from '../test/oidc/sign-on.ts'
import { aLoggedIdentity, aSignOn, type LoggedIdentity } from '../test/saml/sign-on.ts'

/** A user who signed in, with the token of the sign-in and one that was made with it, and the session at the provider. */
interface SignedIn {
  id: string
  email: string
  sub: string
  sid: string
  tokens: string[]
  client: IdentityClient
}

let logged: LoggedIdentity
let identity: IdentitySetup
let on: OidcSignOn
let admin: IdentityClient
let cache: Awaited<ReturnType<typeof gatewayActors>>
beforeAll(async () => {
  logged = await aLoggedIdentity(reachesLoopback)
  identity = logged.identity
  cache = await gatewayActors(identity)
})
beforeEach(async () => {
  on = await anOidcSignOn(identity)
  admin = await on.organization.admin.client()
})
afterEach(() => on.provider.stop())
afterAll(() => identity.stop())

const { id: clientId, secret: clientSecret } = openIdTestClient
const now = () => Math.floor(Date.now() / 1000)
const anEmail = () => `${createId().toLowerCase()}@recto.test`

async function signIn(through = on, email = anEmail()): Promise<SignedIn> {
  const sid = createId()
  through.provider.behave({ claims: { sid } })
  const first = await through.token(email)
  const client = await identity.as(first)
  const { id } = await client.getAuthenticatedUser()
  const { token } = await client.createToken({ body: { name: 'ci' } })
  return { id, email, sub: `sub of ${email}`, sid, tokens: [first, token], client }
}

/** The number of tokens that a gateway takes, which knows those that it has seen before from its cache. */
const aliveTokens = async ({ tokens }: SignedIn) =>
  (await Promise.all(tokens.map(token => failure(cache.find(token))))).filter(code => code === undefined).length

type Settings = Parameters<IdentityClient['updateOidcProvider']>[0]['body']
const change = (body: Settings) => admin.updateOidcProvider({ params: on.params, body })

describe('The tokens of a sign-in, and those made with them, end at once', () => {
  const here = () => ({ organizationId: on.organization.id })
  it.each<[string, (user: SignedIn) => Promise<unknown>]>([
    ['its provider is deleted', () => admin.deleteOidcProvider({ params: on.params })],
    ['its provider becomes another one', () => change({ issuer: 'https://other.test', clientSecret })],
    ['its provider becomes another client', () => change({ clientID: 'other' })],
    ['its provider loses its issuer', () => change({ issuer: '' })],
    ['its provider loses its secret', () => change({ clientSecret: null })],
    ['its provider loses its domains', () => change({ emailDomains: [] })],
    [
      'its user is removed from the organization',
      ({ id }) => admin.removeMemberFromOrganizationById({ params: { ...here(), userId: id } }),
    ],
    [
      'its user leaves the organization',
      ({ id, client }) => client.removeMemberFromOrganizationById({ params: { ...here(), userId: id } }),
    ],
    ['the provider ends its session', ({ sid }) => logout({ sid })],
    ['the provider ends its session and names its user', ({ sid, sub }) => logout({ sid, sub })],
    ['the provider ends all sessions of its user', ({ sub }) => logout({ sub })],
  ])('when %s', async (_when, end) => {
    const user = await signIn()
    expect(await aliveTokens(user)).toBe(2)
    await end(user)
    expect(await aliveTokens(user)).toBe(0)
    // The actor of a request that was under way when the sign-in ended.
    expect(await failure(user.client.createToken({ body: { name: 'later' } }))).toBe('unauthenticated')
  })

  it.each<[string, Settings]>([
    ['its label, role, scopes and secret', { label: 'New', defaultRole: null, scopes: ['email'], clientSecret: 'new' }],
    ['its domains', { emailDomains: ['recto.test'] }],
    ['nothing', {}],
  ])('and not when its provider changes %s', async (_what, body) => {
    const user = await signIn()
    await change(body)
    expect(await aliveTokens(user)).toBe(2)
  })

  it('and no others: of other sessions, users, providers, organizations and SAML', async () => {
    const email = anEmail()
    const ended = await signIn(on, email)
    const again = await signIn(on, email)
    const okta = await anOidcSignOn(identity, { organization: on.organization, provider: on.provider })
    const elsewhere = await anOidcSignOn(identity, { provider: on.provider })
    const member = await aMember(identity, on.organization.id, 'read')
    const others = [again, await signIn(), await signIn(okta, email), await signIn(elsewhere)]
    const saml = await aSignOn(identity, { organization: on.organization })
    const samlToken = await saml.token(anEmail())
    await logout({ sid: ended.sid })
    expect(await Promise.all([ended, ...others].map(aliveTokens))).toEqual([0, 2, 2, 2, 2])
    await admin.deleteOrganizationSAMLProvider({ params: saml.params })
    expect(await identity.actorOf(samlToken)).toBeNull()
    expect(await Promise.all(others.map(aliveTokens))).toEqual([2, 2, 2, 2])
    await admin.deleteOidcProvider({ params: on.params })
    expect(await Promise.all(others.map(aliveTokens))).toEqual([0, 0, 2, 2])
    expect(await identity.actorOf(member.token)).not.toBeNull()
  })
})

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** The claims of a logout token. */
const logoutClaims = (claims: Record<string, unknown>) => ({
  iss: on.provider.issuer,
  aud: clientId,
  iat: now(),
  exp: now() + 120,
  jti: createId(),
  events: { [event]: {} },
  ...claims,
})

const send = async (token: string) =>
  (await identity.as('nobody')).receiveOidcLogout({ params: on.params, body: { logout_token: token } })

async function logout(claims: Record<string, unknown>, header: Record<string, unknown> = { typ: 'logout+jwt' }) {
  const complete = JSON.parse(JSON.stringify(logoutClaims(claims))) as Record<string, unknown>
  await send(await on.provider.signClaims(complete, { header }))
}

describe('A logout token', () => {
  it.each<[string, string, Record<string, unknown>, Record<string, unknown>?]>([
    ['with a nonce', 'nonce', { nonce: 'n' }],
    ['without events', 'structure', { events: undefined }],
    ['with another event', 'events', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['whose event is no object', 'events', { events: { [event]: true } }],
    ['without a user and a session', 'subject', { sid: undefined }],
    ['without an id', 'structure', { jti: undefined }],
    ['of another issuer', 'issuer', { iss: 'https://other.test' }],
    ['for another client', 'audience', { aud: 'other' }],
    ['that has expired', 'expired', { exp: now() - 120 }],
    ['without an expiry', 'time_missing', { exp: undefined }],
    ['without a time', 'time_missing', { iat: undefined }],
    ['from the future', 'not_yet_valid', { iat: now() + 600 }],
    ['of another type', 'structure', {}, { typ: 'at+jwt' }],
    ['by a key that the provider does not publish', 'key_unknown', {}, { kid: 'other' }],
  ])('%s is refused (%s), and ends nothing', async (...[, reason, claims, header]) => {
    const user = await signIn()
    logged.takeLines()
    expect(await failure(logout({ sid: user.sid, ...claims }, header))).toBe('invalid_request')
    expect(logged.takeLines()).toMatchObject([{ reason, organization: on.organization.id }])
    expect(await aliveTokens(user)).toBe(2)
  })

  it('that is not signed, or by another key under the same id, is refused', async () => {
    const user = await signIn()
    const claims = logoutClaims({ sid: user.sid })
    const key = await aProviderKey(on.provider.keys[0]?.jwk.kid)
    for (const token of [
      new UnsecuredJWT(claims).encode(),
      await on.provider.signClaims(claims, { key }),
      'a.b.c',
      'nothing',
    ])
      expect(await failure(send(token))).toBe('invalid_request')
    expect(await aliveTokens(user)).toBe(2)
  })

  it('that is an ID token is refused', async () => {
    const user = await signIn()
    expect(await failure(logout({ sid: user.sid, sub: user.sub, nonce: 'n', events: undefined }))).toBe(
      'invalid_request',
    )
    expect(await aliveTokens(user)).toBe(2)
  })

  it('is accepted once, also when it is sent twice at once', async () => {
    const token = await on.provider.signClaims(logoutClaims({ sid: 'nobody' }))
    logged.takeLines()
    const ends = await Promise.all([failure(send(token)), failure(send(token))])
    expect(ends.toSorted()).toEqual(['invalid_request', undefined])
    expect(await failure(send(token))).toBe('invalid_request')
    expect(logged.takeLines().map(({ reason }) => reason)).toEqual(['replayed', 'replayed'])
  })

  it('of a key that was replaced since is accepted after the keys were fetched again', async () => {
    const user = await signIn()
    on.provider.keys.splice(0, 1, await aProviderKey())
    await logout({ sid: user.sid })
    expect(await aliveTokens(user)).toBe(0)
  })

  it('is unavailable, and not refused, while the keys cannot be read', async () => {
    on.provider.behave({ answers: { '/keys': (_request, response) => response.writeHead(500).end() } })
    const token = await on.provider.signClaims(logoutClaims({ sid: 'one' }))
    expect(await failure(send(token))).toBe('unavailable')
    on.provider.behave({})
    expect(await failure(send(token))).toBeUndefined()
  })

  it.each<[string, (session: { sid: string; sub: string }) => Record<string, unknown>]>([
    ['session', ({ sid }) => ({ sid })],
    ['user', ({ sub }) => ({ sub })],
  ])('that comes while a sign-in is under way refuses it, by its %s', async (_which, claims) => {
    const email = anEmail()
    const session = { sid: createId(), sub: `sub of ${email}` }
    const end = () => logout(claims(session))
    on.provider.behave({
      claims: { sid: session.sid, email: undefined },
      answers: {},
      beforeTokens: async () => undefined,
    })
    const browser = on.browser()
    const answer = await on.begin(email, browser)
    on.provider.behave({ claims: { sid: session.sid }, beforeTokens: end })
    logged.takeLines()
    expect(await failure(browser.open(answer))).toBe('unauthenticated')
    expect(logged.takeLines()).toMatchObject([{ reason: 'signed_out' }])
  })

  it('does not refuse sessions that the user begins after it', async () => {
    const user = await signIn()
    await logout({ sub: user.sub, iat: now() - 30 })
    expect(await aliveTokens(await signIn(on, user.email))).toBe(2)
  })
})

describe('Signing out at the provider', () => {
  it('leads to where it ends sessions, in the name of the client', async () => {
    const { status, location } = await on.browser().open(on.startUrl.replace('/start', '/logout'))
    expect([status, location]).toEqual([302, `${on.provider.issuer}/logout?client_id=${clientId}`])
  })

  it('is not found where the provider has no such address', async () => {
    on.provider.behave({ metadata: { end_session_endpoint: undefined } })
    expect(await failure(on.browser().open(on.startUrl.replace('/start', '/logout')))).toBe('not_found')
  })
})
