import { randomBytes } from 'node:crypto'
import { query } from '@recto/database'
import { anOpenIdProvider, eventually, replySchemas, type OpenIdProvider } from '@recto/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
let publishing: PublishingSetup
let provider: OpenIdProvider
let params: { organizationId: string; siteId: string }
let url: string
let root: string
beforeAll(async () => void (publishing = await aPublishing({ OUTGOING_ALLOW: '127.0.0.1' })))
afterAll(() => publishing.stop())
beforeEach(async () => {
  provider = await anOpenIdProvider()
  const body = { spaces: [publishing.content.aSpace('Manual')] }
  const { id } = await creator().createSite({ params: { organizationId: organization }, body })
  params = { organizationId: organization, siteId: id }
  await creator().publishSite({ params })
  const settings = { visibility: 'visitor-auth' as const, adaptiveContent: { enabled: true } }
  const { basename } = await creator().updateSiteById({ params, body: settings })
  root = `https://${basename}.docs.test`
  url = `${root}/guide?a=1`
  await setProvider()
})
afterEach(() => provider.stop())

const creator = () => publishing.as('create')
const settingsOf = (change: object = {}) => ({
  issuer: provider.issuer,
  clientId: provider.client.id,
  clientSecret: provider.client.secret,
  scopes: ['email'],
  ...change,
})
const setProvider = (change: object = {}) =>
  creator().updateSitePublishingAuthById({ params, body: { oidc: settingsOf(change) } })
const aBrowser = () => randomBytes(32).toString('base64url')
const lookUp = (jwtToken?: string, redirectOnError = false) =>
  publishing.anonymous.resolvePublishedContentByUrl({
    body: { url, redirectOnError, ...(jwtToken !== undefined && { visitor: { jwtToken } }) },
  })

/** Begins a sign-in, and goes to the provider; resolves to the query that it sends the browser back with. */
async function authorized(browser: string): Promise<string> {
  const { redirect } = await publishing.anonymous.startVisitorSignIn({ body: { url, root, browser } })
  const { headers } = await fetch(redirect, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '').search.slice(1)
}

const complete = (browser: string, query: string, more: object = {}) =>
  publishing.anonymous.completeVisitorSignIn({ body: { url, root, browser, query, ...more } })

async function signIn(): Promise<string> {
  const browser = aBrowser()
  return (await complete(browser, await authorized(browser))).token
}

/** The claims in the token of a lookup. */
async function claimsOf(jwtToken: string): Promise<Record<string, unknown>> {
  const result = await lookUp(jwtToken)
  const payload = 'apiToken' in result ? result.apiToken.split('.')[1] : ''
  return (JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as { claims: Record<string, unknown> }).claims
}

describe('a sign-in by the provider of a site', () => {
  it('opens the site with the claims of the user, until it expires', async () => {
    expect(await lookUp()).toEqual({
      target: 'external',
      site: params.siteId,
      redirect: `${root}/~recto/sign-in?location=%2Fguide`,
    })
    const browser = aBrowser()
    const session = await complete(browser, await authorized(browser))
    expect(session).toEqual({ token: expect.any(String), expiresAt: expect.any(String), location: '/guide?a=1' })
    expect(schemas.validateReply('resolvePublishedContentByUrl', 200, await lookUp(session.token))).toEqual([])
    expect(await claimsOf(session.token)).toEqual({
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      unsigned: {},
    })
  })

  it('has the claims that a mapping names', async () => {
    await setProvider({ claims: { plan: 'https://acme.com/plan', roles: 'realm_access.roles' } })
    provider.user = { ...provider.user, 'https://acme.com/plan': 'pro', realm_access: { roles: ['editor'] } }
    expect(await claimsOf(await signIn())).toEqual({ plan: 'pro', roles: ['editor'], unsigned: {} })
  })

  it('is refused with claims that are larger than a site takes', async () => {
    provider.user = { ...provider.user, groups: ['x'.repeat(4_000)] }
    await expect(signIn()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringMatching(/larger/) })
  })

  it('lasts as long as the ID token, and a week at most', async () => {
    const now = Math.floor(Date.now() / 1000)
    const lifetime = async (exp: number) => {
      provider.claims = { exp }
      const browser = aBrowser()
      const { expiresAt } = await complete(browser, await authorized(browser))
      return (Date.parse(expiresAt) - Date.now()) / 1_000
    }
    expect(Math.abs((await lifetime(now + 600)) - 660)).toBeLessThan(60)
    expect(Math.abs((await lifetime(now + 90 * 86_400)) - 7 * 86_400)).toBeLessThan(60)
  })

  it('is over when its session has expired', async () => {
    const token = await signIn()
    await query(publishing.service.db, `update visitor_sessions set expires_at = now() - interval '1 second'`)
    await expect(lookUp(token)).rejects.toMatchObject({ code: 'forbidden', message: 'The login has ended' })
    expect(await lookUp(token, true)).toMatchObject({ target: 'external' })
  })

  it('ends the session before of the same browser', async () => {
    const first = await signIn()
    const browser = aBrowser()
    const { token } = await complete(browser, await authorized(browser), { token: first })
    expect(await lookUp(token)).toMatchObject({ site: params.siteId })
    await expect(lookUp(first)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('opens no other site', async () => {
    const token = await signIn()
    const first = url
    const body = { spaces: [publishing.content.aSpace('Other')] }
    const other = await creator().createSite({ params: { organizationId: organization }, body })
    const otherParams = { organizationId: organization, siteId: other.id }
    await creator().publishSite({ params: otherParams })
    const { basename } = await creator().updateSiteById({ params: otherParams, body: { visibility: 'visitor-auth' } })
    url = `https://${basename}.docs.test/`
    await expect(lookUp(token)).rejects.toMatchObject({ code: 'forbidden' })
    url = first
    expect(await lookUp(token)).toMatchObject({ site: params.siteId })
  })
})

describe('a sign-in is refused', () => {
  it('in another browser than that which began it', async () => {
    const query = await authorized(aBrowser())
    await expect(complete(aBrowser(), query)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('the second time, also at once', async () => {
    const browser = aBrowser()
    const query = await authorized(browser)
    const all = await Promise.allSettled([1, 2, 3].map(() => complete(browser, query)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(complete(browser, query)).rejects.toMatchObject({ code: 'forbidden' })
    expect(provider.requests.filter(({ path }) => path === '/token')).toHaveLength(1)
  })

  it('with the code of another sign-in', async () => {
    const one = aBrowser()
    const other = aBrowser()
    const first = new URLSearchParams(await authorized(one))
    const second = new URLSearchParams(await authorized(other))
    first.set('code', second.get('code') ?? '')
    await expect(complete(one, first.toString())).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('with a state that was changed, made up or left out', async () => {
    const browser = aBrowser()
    const query = new URLSearchParams(await authorized(browser))
    const state = query.get('state') ?? ''
    for (const changed of [`${state.slice(0, -4)}AAAA`, 'x', '']) {
      query.set('state', changed)
      await expect(complete(browser, query.toString())).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  it('with a state of another site', async () => {
    const browser = aBrowser()
    const query = await authorized(browser)
    const body = { spaces: [publishing.content.aSpace('Other')] }
    const { id } = await creator().createSite({ params: { organizationId: organization }, body })
    params = { organizationId: organization, siteId: id }
    await creator().publishSite({ params })
    const { basename } = await creator().updateSiteById({ params, body: { visibility: 'visitor-auth' } })
    await setProvider()
    root = `https://${basename}.docs.test`
    url = `${root}/`
    await expect(complete(browser, query)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('when the settings of the site change while somebody signs in', async () => {
    const browser = aBrowser()
    const query = await authorized(browser)
    await setProvider({ scopes: [] })
    await expect(complete(browser, query)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/has changed/),
    })
  })

  it('when the settings change while the provider is asked', async () => {
    const browser = aBrowser()
    const query = await authorized(browser)
    provider.beforeTokens = async () => void (await setProvider({ scopes: [] }))
    await expect(complete(browser, query)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/has changed/),
    })
  })

  it('when the provider logs the user out while it is asked', async () => {
    const browser = aBrowser()
    provider.user = { ...provider.user, sid: 'a-session' }
    const query = await authorized(browser)
    provider.beforeTokens = async () => {
      provider.beforeTokens = undefined
      await logOut({ sid: 'a-session' })
    }
    await expect(complete(browser, query)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('by the provider, or because of what it sends', async () => {
    provider.response = { error: 'access_denied', code: undefined }
    await expect(signIn()).rejects.toMatchObject({ code: 'forbidden' })
    provider.response = {}
    for (const claims of [{ nonce: 'x' }, { iss: 'https://evil.test' }, { aud: 'another' }]) {
      provider.claims = claims
      await expect(signIn()).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  it('at an address that is none of the site', async () => {
    for (const wrong of ['https://evil.test', `${root}.evil.test`, `${root}/more`, `${root}:8443`]) {
      const started = publishing.anonymous.startVisitorSignIn({ body: { url, root: wrong, browser: aBrowser() } })
      await expect(started).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'body.root' }] })
    }
  })

  it('by a provider at a private address that the installation does not allow', async () => {
    await setProvider({ issuer: 'https://10.1.2.3' })
    await expect(authorized(aBrowser())).rejects.toMatchObject({ code: 'unavailable' })
  })
})

const logOut = async (claims: Record<string, unknown>) =>
  publishing.anonymous.receiveVisitorLogout({ params, body: { logout_token: await provider.logoutToken(claims) } })

describe('a session ends', () => {
  it('when its visitor signs out, who goes to the provider', async () => {
    const token = await signIn()
    const { redirect } = await publishing.anonymous.endVisitorSession({ body: { url, root, token } })
    const target = new URL(redirect)
    expect(target.origin).toBe(provider.issuer)
    expect(target.searchParams.get('post_logout_redirect_uri')).toBe(`${root}/~recto/signed-out`)
    expect(target.searchParams.get('id_token_hint')).toMatch(/^ey/)
    await expect(lookUp(token)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('although the provider does not answer, or has no address for it', async () => {
    provider.metadata = { end_session_endpoint: undefined }
    const token = await signIn()
    await creator().updateSitePublishingAuthById({ params, body: { logoutURL: 'https://acme.test/bye' } })
    const { redirect } = await publishing.anonymous.endVisitorSession({ body: { url, root, token } })
    expect(redirect).toBe('https://acme.test/bye')
    await expect(lookUp(token)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('by a logout of the provider, that of one session alone', async () => {
    provider.user = { ...provider.user, sid: 'one' }
    const one = await signIn()
    provider.user = { ...provider.user, sid: 'other' }
    const other = await signIn()
    await logOut({ sub: 'ada', sid: 'one' })
    await expect(lookUp(one)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await lookUp(other)).toMatchObject({ site: params.siteId })
  })

  it('by a logout of the provider, all of a user, but for those that begin later', async () => {
    const one = await signIn()
    const other = await signIn()
    const now = Math.floor(Date.now() / 1000)
    const token = await provider.logoutToken({ sub: 'ada', iat: now + 1 })
    const receive = () => publishing.anonymous.receiveVisitorLogout({ params, body: { logout_token: token } })
    await receive()
    for (const ended of [one, other]) await expect(lookUp(ended)).rejects.toMatchObject({ code: 'forbidden' })
    provider.claims = { iat: now + 2 }
    const later = await signIn()
    await receive()
    expect(await lookUp(later)).toMatchObject({ site: params.siteId })
  })

  it('by no logout that is not valid', async () => {
    const token = await signIn()
    for (const claims of [{ sub: 'ada', aud: 'another' }, { sub: 'ada', nonce: 'x' }, {}])
      await expect(logOut(claims)).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: 'body.logout_token' }],
      })
    expect(await lookUp(token)).toMatchObject({ site: params.siteId })
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the provider is removed', () => creator().updateSitePublishingAuthById({ params, body: { oidc: null } })],
    ['the claims are mapped otherwise', () => setProvider({ claims: { plan: 'plan' } })],
    ['another client is set', () => setProvider({ clientId: 'another' })],
  ])('when %s', async (_title, change) => {
    const token = await signIn()
    await change()
    await eventually(async () => expect(lookUp(token)).rejects.toMatchObject({ code: 'forbidden' }))
  })

  it('by no change of the scopes or the secret', async () => {
    const token = await signIn()
    await setProvider({ scopes: [], clientSecret: 'another' })
    expect(await lookUp(token)).toMatchObject({ site: params.siteId })
  })
})

it('has nothing that is secret in a table in clear', async () => {
  await setProvider()
  const token = await signIn()
  const tables = ['site_oidc', 'visitor_sessions', 'visitor_sign_ins']
  const stored = await Promise.all(
    tables.map(name => query<{ text: string }>(publishing.service.db, `select t::text as text from ${name} t`)),
  )
  const text = stored
    .flat()
    .map(row => row.text)
    .join()
  expect(text).toContain(provider.issuer)
  for (const secret of [provider.client.secret, token, 'ada@example.com'])
    for (const form of [secret, Buffer.from(secret).toString('hex')]) expect(text).not.toContain(form)
})
