import { hashToken } from '@recto/actor'
import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { aProviderKey, failure, openIdTestClient } from '@recto/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { anOidcSignOn, reachesLoopback, type OidcSignOn } from '../test/oidc/sign-on.ts'

let identity: IdentitySetup
let on: OidcSignOn
beforeAll(async () => void (identity = await anIdentity({ environment: reachesLoopback })))
beforeEach(async () => void (on = await anOidcSignOn(identity)))
afterEach(() => on.provider.stop())
afterAll(() => identity.stop())

const { secret: clientSecret } = openIdTestClient
const anEmail = () => `${createId().toLowerCase()}@recto.test`
const admin = () => on.organization.admin.client()

it('A sign-in starts with PKCE, a state and a nonce, and the scopes of the provider', async () => {
  const { status, location = '', cookie } = await on.browser().open(on.startUrl)
  const { origin, pathname, searchParams } = new URL(location)
  expect([status, origin + pathname]).toEqual([302, `${on.provider.issuer}/authorize`])
  const { state, nonce, code_challenge: challenge, ...rest } = Object.fromEntries(searchParams)
  expect(rest).toEqual({
    client_id: 'recto-docs',
    redirect_uri: on.startUrl.replace('/start', '/callback'),
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
  })
  for (const value of [state, nonce, challenge]) expect(value).toMatch(/^[\w-]{43}$/)
  expect(cookie).toMatch(/^recto-sign-in-[\da-f]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
})

it('The cookie of a sign-in is of this host alone where the API has https', async () => {
  const secure = await anIdentity({ environment: { ...reachesLoopback, PUBLIC_URL: 'https://recto.test' } })
  try {
    const there = await anOidcSignOn(secure, { provider: on.provider })
    const { cookie } = await there.browser().open(there.startUrl)
    expect(cookie).toMatch(
      /^__Host-recto-sign-in-[\da-f]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(await there.token(anEmail())).toMatch(/^recto_/)
  } finally {
    await secure.stop()
  }
})

describe('A subject without an account', () => {
  it('becomes a user and a member with the role and team of the provider, and gets a token for the organization', async () => {
    const team = await aTeam(identity, on.organization)
    const body = { defaultRole: 'edit' as const, defaultTeam: team }
    await (await admin()).updateOidcProvider({ params: on.params, body })
    const email = anEmail()
    const browser = on.browser()
    const { page } = await browser.open(await on.begin(email.toUpperCase(), browser))
    expect(page).toContain(`<strong id="email">${email}</strong>`)
    expect([...browser.cookies]).toEqual([])
    const token = /<code id="token">([^<]+)</.exec(page)?.[1] ?? ''
    const user = await (await identity.as(token)).getAuthenticatedUser()
    expect(user).toMatchObject({ email, displayName: 'Ada Lovelace' })
    expect(await identity.actorOf(token)).toEqual({
      userId: user.id,
      platformAdmin: false,
      expiresAt: expect.any(Number),
      scopes: ['read', 'write', 'admin'],
      memberships: [{ organization: on.organization.id, role: 'edit', teams: [team] }],
      sso: on.organization.id,
      ssoToken: expect.any(String),
    })
  })

  it('signs in again as the same user, with this provider and with another of the organization', async () => {
    const other = await anOidcSignOn(identity, { organization: on.organization, label: 'Okta' })
    const email = anEmail()
    const tokens = [await on.token(email), await on.token(email), await other.token(email)]
    const actors = await Promise.all(tokens.map(token => identity.actorOf(token)))
    expect(new Set(actors.map(actor => actor?.userId)).size).toBe(1)
    await other.provider.stop()
  })

  it('becomes one user in concurrent first sign-ins', async () => {
    const email = anEmail()
    const tokens = await Promise.all(Array.from({ length: 4 }, () => on.token(email)))
    const actors = await Promise.all(tokens.map(token => identity.actorOf(token)))
    expect(new Set(actors.map(actor => actor?.userId)).size).toBe(1)
  })

  it('gets the role of a pending invite', async () => {
    const email = anEmail()
    const client = await admin()
    const params = { organizationId: on.organization.id }
    await client.inviteUsersToOrganization({ params, body: { emails: [email], role: 'review' } })
    expect((await identity.actorOf(await on.token(email)))?.memberships).toMatchObject([{ role: 'review' }])
  })
})

describe('A member', () => {
  it('can sign in after an admin makes them an SSO member, also where the organization requires it', async () => {
    const member = await aMember(identity, on.organization.id, 'comment')
    expect(await failure(on.token(member.email))).toBe('unauthenticated')
    const params = { organizationId: on.organization.id }
    await (await admin()).setUserAsSSOMemberForOrganization({ params: { ...params, userId: member.id } })
    await (await admin()).updateOrganizationById({ params, body: { sso: true } })
    expect(await failure((await member.client()).getOrganizationById({ params }))).toBe('forbidden')
    const person = await identity.as(await on.token(member.email))
    expect(await person.getOrganizationById({ params })).toMatchObject({ id: params.organizationId })
  })

  it('cannot use the token in their other organizations, and neither a token that it makes', async () => {
    const email = anEmail()
    await on.token(email)
    await (await identity.as(adminToken)).createUser({ body: { email, displayName: 'Ada' } })
    const elsewhere = await anOrganization(identity)
    const body = { emails: [{ email, role: 'admin' as const }] }
    await (await elsewhere.admin.client()).inviteUsersToOrganization({ params: { organizationId: elsewhere.id }, body })
    const person = await identity.as(await on.token(email))
    const { token } = await person.createToken({ body: { name: 'ci' } })
    for (const client of [person, await identity.as(token)])
      expect(await failure(client.getOrganizationById({ params: { organizationId: elsewhere.id } }))).toBe('not_found')
  })
})

describe('Providers', () => {
  it('may say the e-mail and the name at the userinfo endpoint alone', async () => {
    on.provider.behave({ claims: { email: undefined, email_verified: undefined, name: undefined } })
    const email = anEmail()
    const person = await identity.as(await on.token(email))
    expect(await person.getAuthenticatedUser()).toMatchObject({ email, displayName: 'Ada Lovelace' })
  })

  it('may take the secret in the form, name no session and no hash of the access token', async () => {
    const body = { metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } }
    on.provider.behave({ ...body, claims: { sid: undefined, at_hash: undefined } })
    expect(await on.token(anEmail())).toMatch(/^recto_/)
  })

  it.each(['RS256', 'PS256', 'EdDSA'])('may sign with %s', async algorithm => {
    on.provider.keys.unshift(await aProviderKey('one', algorithm))
    on.provider.behave({ claims: { at_hash: undefined } })
    expect(await on.token(anEmail())).toMatch(/^recto_/)
  })

  it('may name no key where one of several verifies', async () => {
    on.provider.keys.push(await aProviderKey())
    on.provider.behave({ sign: claims => on.provider.signClaims(claims, { header: { kid: undefined } }) })
    expect(await on.token(anEmail())).toMatch(/^recto_/)
  })

  it('may differ from our clock by less than a minute', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    on.provider.behave({ claims: { iat: seconds + 50, nbf: seconds + 50 } })
    expect(await on.token(anEmail())).toMatch(/^recto_/)
    on.provider.behave({ claims: { iat: seconds - 400, exp: seconds - 50 } })
    expect(await on.token(anEmail())).toMatch(/^recto_/)
  })

  it('may replace their key: it is fetched when a token names it, and metadata are not', async () => {
    await on.token(anEmail())
    on.provider.keys.splice(0, 1, await aProviderKey())
    expect(await on.token(anEmail())).toMatch(/^recto_/)
    const count = (path: string) => on.provider.requests.filter(request => request.path === path).length
    expect([count('/keys'), count('/.well-known/openid-configuration')]).toEqual([2, 1])
  })

  it('are asked for keys seven times in a minute at most, however many keys tokens name', async () => {
    for (let turn = 0; turn < 9; turn += 1) {
      on.provider.behave({ sign: claims => on.provider.signClaims(claims, { header: { kid: `unknown ${turn}` } }) })
      expect(await failure(on.token(anEmail()))).toBe('unauthenticated')
    }
    expect(on.provider.requests.filter(({ path }) => path === '/keys')).toHaveLength(7)
    on.provider.behave({})
    expect(await on.token(anEmail())).toMatch(/^recto_/)
  })
})

it('Neither the secret of the client nor that of a browser or a token is stored as it is', async () => {
  const browser = on.browser()
  const answer = await on.begin(anEmail(), browser)
  const [browserSecret = ''] = browser.cookies.values()
  const token = await on.token(anEmail())
  const { db } = identity.service
  const tables = ['oidc_providers', 'oidc_sign_ins', 'tokens', 'outbox']
  const rows = await Promise.all(tables.map(table => query(db, `select row_to_json(t)::text as row from ${table} t`)))
  const stored = JSON.stringify(rows)
  for (const secret of [
    clientSecret,
    Buffer.from(clientSecret).toString('hex'),
    browserSecret,
    token,
    answer.searchParams.get('code') ?? '',
  ])
    expect(stored).not.toContain(secret)
  expect(stored).toContain(hashToken(token))
})
