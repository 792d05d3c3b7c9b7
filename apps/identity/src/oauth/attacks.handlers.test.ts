import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { formsOf } from '@recto/testing'
import { aMember, anOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from '../test/oauth/endpoint.ts'
import { aRegisteredProgram, callback, decide, locationOf, type Program } from '../test/oauth/program.ts'

let setup: OAuthSetup
let organization: { id: string; admin: TestUser }
let member: TestUser
let program: Program
beforeAll(async () => {
  setup = await anOAuthSetup()
  organization = await anOrganization(setup.identity)
  member = await aMember(setup.identity, organization.id)
  program = await aRegisteredProgram(setup, organization)
})
afterAll(() => setup.stop())

const allow = (url: string, token = organization.admin.token) => decide(setup.browser(), url, { token })
const post = async (path: string, form: Record<string, string>, headers: Record<string, string> = {}) => {
  const reply = await setup.fetch(`${publicUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  })
  return { status: reply.status, body: (await reply.json()) as { error?: string } }
}
const codeForm = (begun: { verifier: string }, answer: URL) => ({
  grant_type: 'authorization_code',
  client_id: program.client.client_id,
  redirect_uri: callback,
  code: answer.searchParams.get('code') ?? '',
  code_verifier: begun.verifier,
})
const sessionOf = async () => {
  const browser = setup.browser()
  await decide(browser, (await program.begin()).url, { token: organization.admin.token })
  return browser
}

describe('An authorization request', () => {
  it.each([
    ['another path', `${callback}/../other`],
    ['another host', 'https://evil.test/callback'],
    ['a host that begins alike', 'https://program.test.evil.test/callback'],
    ['credentials before the host', 'https://program.test@evil.test/callback'],
    ['a query that was not registered', `${callback}?next=https://evil.test`],
    ['another scheme', 'javascript:alert(1)'],
    ['none', ''],
  ])('with a redirect URI that has %s is answered by a page, and redirects nobody', async (_case, uri) => {
    const page = await setup.browser().open((await program.begin({ redirect_uri: uri })).url)
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';")
  })

  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['with plain PKCE', { code_challenge_method: 'plain' }],
    ['without the method of PKCE', { code_challenge_method: '' }],
    ['for a token in the address', { response_type: 'token' }],
    ['for an ID token', { response_type: 'id_token', nonce: 'n' }],
    ['for an unknown resource', { resource: 'https://evil.test/api' }],
  ])('%s is refused', async (_case, parameters) => {
    const location = locationOf(await setup.browser().open((await program.begin(parameters)).url))
    expect(location.origin + location.pathname).toBe(callback)
    const answer = new URLSearchParams(location.search || location.hash.slice(1))
    expect([answer.get('code'), answer.get('access_token'), answer.get('error')]).toEqual([
      null,
      null,
      expect.any(String),
    ])
  })

  it('of an unknown program is answered by a page', async () => {
    const page = await setup.browser().open((await program.begin({ client_id: 'nobody' })).url)
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
  })
})

describe('A code', () => {
  it('is exchanged with the verifier of its challenge only', async () => {
    const begun = await program.begin()
    const form = codeForm(begun, await allow(begun.url))
    const other = (await program.begin()).verifier
    for (const verifier of [other, '']) {
      const { code_verifier: _own, ...rest } = form
      const sent = verifier === '' ? rest : { ...rest, code_verifier: verifier }
      expect(await post('/oauth/token', sent)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    }
  })

  it('is exchanged with the redirect URI of its request only, and by its program only', async () => {
    const begun = await program.begin()
    const form = codeForm(begun, await allow(begun.url))
    const other = await aRegisteredProgram(setup, organization)
    for (const change of [{ redirect_uri: `${callback}2` }, { client_id: other.client.client_id }])
      expect(await post('/oauth/token', { ...form, ...change })).toMatchObject({ status: 400 })
  })

  it('that is used twice ends the grant, and the tokens that it gave', async () => {
    const begun = await program.begin()
    const answer = await allow(begun.url)
    const tokens = await program.exchange(begun, answer)
    expect(await setup.api(tokens.access_token, '/user')).toMatchObject({ status: 200 })
    const again = await post('/oauth/token', codeForm(begun, answer))
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await setup.api(tokens.access_token, '/user')).toMatchObject({ status: 401 })
  })

  it('that two requests use at once gives tokens to one at most, and those end', async () => {
    const begun = await program.begin()
    const form = codeForm(begun, await allow(begun.url))
    const replies = await Promise.all(Array.from({ length: 5 }, () => post('/oauth/token', form)))
    const accessTokens = replies.flatMap(({ body }) => (body as { access_token?: string }).access_token ?? [])
    expect(accessTokens.length).toBeLessThanOrEqual(1)
    for (const token of accessTokens) expect(await setup.api(token, '/user')).toMatchObject({ status: 401 })
  })
})

describe('The page of consent', () => {
  it('takes no answer without its proof, or with that of another authorization', async () => {
    const browser = await sessionOf()
    const first = await browser.follow((await program.begin()).url)
    const second = await browser.follow((await program.begin()).url)
    const [foreign] = formsOf(first.text)
    for (const csrf of ['', 'wrong', foreign?.fields['csrf'] ?? '']) {
      const reply = await browser.submit(second, '/answer', { csrf, decision: 'allow' })
      expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
    }
    const [form] = formsOf(second.text)
    const answer = await browser.open(form?.action ?? '', { method: 'POST', form: { decision: 'allow' } })
    expect(answer.status).toBe(400)
  })

  it('is shown to the browser alone that has begun it, and takes the answer of no other', async () => {
    const browser = await sessionOf()
    const page = await browser.follow((await program.begin()).url)
    const other = setup.browser()
    await decide(other, (await program.begin()).url, { token: member.token })
    expect((await other.open(page.url)).status).toBe(400)
    expect((await other.submit(page, '/answer', { decision: 'allow' })).status).toBe(400)
    expect((await setup.browser().submit(page, '/answer', { decision: 'allow' })).status).toBe(400)
  })

  it('takes no answer of a browser whose session has become that of somebody else', async () => {
    const browser = await sessionOf()
    const page = await browser.follow((await program.begin()).url)
    const other = setup.browser()
    await decide(other, (await program.begin()).url, { token: member.token })
    const session = other.cookies.get('__Host-recto-session')
    if (session) browser.cookies.set('__Host-recto-session', session)
    const reply = await browser.submit(page, '/answer', { decision: 'allow' })
    expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
  })

  it('leads to nowhere but the program, whatever the request says besides', async () => {
    const begun = await program.begin({ returnTo: 'https://evil.test', next: 'https://evil.test' })
    expect((await allow(begun.url)).origin).toBe('https://program.test')
  })

  it('gives no scope that was not asked for, though the answer names it', async () => {
    const browser = setup.browser()
    const begun = await program.begin({ scope: 'user:read' })
    const { token } = organization.admin
    const consent = await browser.submit(await browser.follow(begun.url), '/sign-in', { token })
    const answer = locationOf(await browser.submit(consent, '/answer', { decision: 'allow', scope: 'admin' }))
    expect(await program.exchange(begun, answer)).toMatchObject({ scope: 'user:read' })
  })
})

describe('A sign-in', () => {
  it('has a new id of the session: one that an attacker has planted is worth nothing', async () => {
    const browser = setup.browser()
    browser.cookies.set('__Host-recto-session', { value: 'planted-by-an-attacker', path: '/' })
    await decide(browser, (await program.begin()).url, { token: organization.admin.token })
    const attacker = setup.browser()
    attacker.cookies.set('__Host-recto-session', { value: 'planted-by-an-attacker', path: '/' })
    expect((await attacker.follow((await program.begin()).url)).text).toContain('asks for access. Sign in')
    expect(browser.cookies.get('__Host-recto-session')?.value).not.toBe('planted-by-an-attacker')
  })

  it('has a cookie of this host alone that no script reads', async () => {
    const browser = setup.browser()
    const page = await browser.follow((await program.begin()).url)
    const [, form] = formsOf(page.text)
    const token = organization.admin.token
    const reply = await browser.open(form?.action ?? '', { method: 'POST', form: { ...form?.fields, token } })
    const resumed = await browser.open(reply.headers.get('location') ?? '')
    const cookie = resumed.headers.getSetCookie().find(each => each.startsWith('__Host-recto-session='))
    expect(cookie).toMatch(/; path=\/;/)
    for (const part of ['samesite=lax', 'secure', 'httponly']) expect(cookie).toContain(part)
    expect(cookie).not.toMatch(/domain=/i)
  })

  it.each([
    ['an unknown token', () => 'recto_unknown'],
    ['nothing', () => ''],
    ['text with NUL', () => 'a\0b'],
  ])('with %s is refused in the same words', async (_case, token) => {
    const browser = setup.browser()
    const page = await browser.submit(await browser.follow((await program.begin()).url), '/sign-in', { token: token() })
    expect(page.status).toBe(401)
    expect(page.text).toContain('This is no access token that signs in here.')
    expect(browser.cookies.has('__Host-recto-session')).toBe(false)
  })

  it('takes no token that may not issue tokens, is bound to addresses, or is of a program or a service account', async () => {
    const client = await organization.admin.client()
    const limited = await client.createToken({ body: { name: 'limited', scopes: ['read', 'write'] } })
    const bound = await client.createToken({ body: { name: 'bound', allowedAddresses: ['127.0.0.1'] } })
    const params = { organizationId: organization.id }
    const { id: serviceAccountId } = await client.createServiceAccount({ params, body: { name: 'job', role: 'admin' } })
    const account = await client.createServiceAccountToken({
      params: { ...params, serviceAccountId },
      body: { name: 'job' },
    })
    const begun = await program.begin({ scope: 'admin' })
    const ofProgram = await program.exchange(begun, await allow(begun.url))
    for (const token of [limited.token, bound.token, account.token, ofProgram.access_token]) {
      const browser = setup.browser()
      const page = await browser.submit(await browser.follow((await program.begin()).url), '/sign-in', { token })
      expect([page.status, browser.cookies.has('__Host-recto-session')]).toEqual([401, false])
    }
  })
})

describe('A token of a program', () => {
  it('does nothing that its user may not do', async () => {
    const begun = await program.begin({ scope: 'admin' })
    const { access_token } = await program.exchange(begun, await allow(begun.url, member.token))
    const path = `/orgs/${organization.id}`
    expect(await setup.api(access_token, path)).toMatchObject({ status: 200 })
    const change = { method: 'PATCH', body: { title: 'Mine' } }
    expect(await setup.api(access_token, path, change)).toMatchObject({ status: 403 })
  })

  it('issues tokens that end with the grant', async () => {
    const begun = await program.begin({ scope: 'admin' })
    const { access_token } = await program.exchange(begun, await allow(begun.url))
    const issued = await setup.api(access_token, '/user/tokens', { method: 'POST', body: { name: 'escape' } })
    expect(await setup.api(issued.body.token, '/user')).toMatchObject({ status: 200 })
    const { body } = await setup.api(organization.admin.token, '/user/grants')
    const ended = await setup.api(organization.admin.token, `/user/grants/${body.items[0].id}`, { method: 'DELETE' })
    expect(ended.status).toBe(204)
    for (const token of [access_token, issued.body.token])
      expect(await setup.api(token, '/user')).toMatchObject({ status: 401 })
  })

  it('is not for people outside of the organization that has registered the program', async () => {
    const stranger = await anOrganization(setup.identity)
    const browser = setup.browser()
    const begun = await program.begin()
    const page = await browser.submit(await browser.follow(begun.url), '/sign-in', { token: stranger.admin.token })
    const answer = locationOf(await browser.submit(page, '/answer', { decision: 'allow' }))
    expect([answer.searchParams.get('error'), answer.searchParams.get('code')]).toEqual(['access_denied', null])
  })
})
