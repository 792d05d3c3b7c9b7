import { hashToken } from '@recto/actor'
import { signVisitRequest, visitChallenge, visitPath, type VisitRequest } from '@recto/actor/visit-request'
import { busClient, type Bus } from '@recto/bus'
import { visitCalls } from '@recto/contracts-identity-bus'
import { query } from '@recto/database'
import { createId, type Client } from '@recto/operation'
import { unescaped, type FormBrowser } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from '../test/oauth/endpoint.ts'
import { locationOf } from '../test/oauth/program.ts'
import { aPublishingResponder, type PublishingResponder } from '../test/publishing-responder.ts'
import * as tokens from '../users/tokens.repository.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const redirectUri = 'https://docs.test/~recto/sign-in/callback'
const verifier = 'v'.repeat(43)

let setup: OAuthSetup
let publishing: PublishingResponder
let bus: Bus
let visits: Client<typeof visitCalls>
let organization: { id: string; admin: TestUser }
let member: TestUser
let site: string
beforeAll(async () => {
  setup = await anOAuthSetup()
  publishing = await aPublishingResponder(setup.identity)
  bus = await setup.identity.connectAs('publishing')
  visits = busClient(bus, visitCalls, { service: 'identity' })
  organization = await anOrganization(setup.identity, { title: 'Acme' })
  member = await aMember(setup.identity, organization.id, 'edit', { displayName: 'Grace' })
  site = publishing.aSite(organization.id)
})
afterAll(async () => {
  await bus.drain()
  await publishing.stop()
  await setup.stop()
})

/** The address to which a site sends a browser. */
async function begin(change: Partial<VisitRequest> = {}, signedWith = secret): Promise<string> {
  const defaults = { organization: organization.id, site, title: 'Manual', redirectUri, state: 'a-state' }
  const request = { ...defaults, challenge: visitChallenge(verifier), expiresAt: Date.now() + 60_000, ...change }
  const signed = await signVisitRequest(request, publicUrl, [signedWith])
  return `${publicUrl}${visitPath}?${new URLSearchParams({ request: signed })}`
}

/** Signs in at the page that a site leads to; resolves to where the browser is sent. */
async function signIn(browser: FormBrowser, { token }: TestUser, change: Partial<VisitRequest> = {}) {
  const page = await browser.follow(await begin(change))
  return browser.submit(page, '/sign-in', { token })
}

const redeem = (code: string | null, change: object = {}) =>
  visits.redeemVisitCode({
    body: { code: code ?? '', organization: organization.id, site, redirectUri, verifier, ...change },
  })

/** The session of a user who has signed in for a site. */
async function aSession(user: TestUser, browser = setup.browser()): Promise<string> {
  const location = locationOf(await signIn(browser, user))
  return (await redeem(location.searchParams.get('code'))).member?.session ?? ''
}

const find = (session: string, organizationId = organization.id) =>
  visits.findVisit({ body: { session, organization: organizationId } })

describe('a member who is signed in nowhere', () => {
  it('signs in at the page that names the site, and is sent back with a code, without being asked anything else', async () => {
    const team = await aTeam(setup.identity, organization, { members: [member] })
    const browser = setup.browser()
    const page = await browser.follow(await begin())
    expect(page.text).toContain('Sign in to read Manual.')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://docs.test")
    const location = locationOf(await browser.submit(page, '/sign-in', { token: member.token }))
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri)
    expect(location.searchParams.get('state')).toBe('a-state')
    expect((await redeem(location.searchParams.get('code'))).member).toEqual({
      session: expect.any(String),
      endsAt: expect.any(Number),
      user: member.id,
      email: member.email,
      name: 'Grace',
      role: 'edit',
      teams: [team],
    })
    const { body } = await setup.api(member.token, '/user/grants')
    expect(body.items).toEqual([])
  })

  it('signs in for other sites without a form, in that browser alone', async () => {
    const browser = setup.browser()
    await signIn(browser, member)
    const other = publishing.aSite(organization.id)
    const second = 'https://other.test/~recto/sign-in/callback'
    const reply = await browser.open(await begin({ site: other, redirectUri: second }))
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([303, 'no-store'])
    const code = locationOf(reply).searchParams.get('code')
    expect((await redeem(code, { site: other, redirectUri: second })).member?.user).toBe(member.id)
    expect((await setup.browser().follow(await begin())).text).toContain('Sign in to read Manual.')
  })

  it('is told so where the browser keeps no cookies, and is not sent in a circle', async () => {
    const request = new URL(await begin()).searchParams.get('request') ?? ''
    const page = await setup.browser().follow(`${publicUrl}${visitPath}?${new URLSearchParams({ state: request })}`)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('has kept no cookie')])
  })
})

describe('a code', () => {
  const codeOf = async () => locationOf(await signIn(setup.browser(), member)).searchParams.get('code')

  it('is used once, also by two at the same time', async () => {
    const code = await codeOf()
    const [first, second] = await Promise.all([redeem(code), redeem(code)])
    expect([first.member, second.member].filter(each => each !== null)).toHaveLength(1)
    expect((await redeem(code)).member).toBeNull()
  })

  it.each([
    ['another site', () => ({ site: createId() })],
    ['another organization', () => ({ organization: createId() })],
    ['another address', () => ({ redirectUri: 'https://evil.test/~recto/sign-in/callback' })],
    ['another verifier', () => ({ verifier: 'w'.repeat(43) })],
  ])('is of no use with %s, and used up then', async (_what, change) => {
    const code = await codeOf()
    expect((await redeem(code, change())).member).toBeNull()
    expect((await redeem(code)).member).toBeNull()
  })

  it('is stored as a hash, expires, and ends with the session', async () => {
    const { db } = setup.identity.service
    const code = await codeOf()
    const rows = await query(db, `select * from oauth_artifacts where kind = 'VisitCode'`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(code)
    await query(db, `update oauth_artifacts set expires_at = now() - interval '1 second' where kind = 'VisitCode'`)
    expect((await redeem(code)).member).toBeNull()
    const browser = setup.browser()
    const other = locationOf(await signIn(browser, member)).searchParams.get('code')
    await query(db, 'delete from oauth_sessions')
    expect((await redeem(other)).member).toBeNull()
  })
})

describe('a request that no site has made', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['is signed with another secret', () => begin({}, `another ${secret}`)],
    ['is made up', () => `${publicUrl}${visitPath}?request=x`],
    ['is missing', () => `${publicUrl}${visitPath}`],
    ['has expired', () => begin({ expiresAt: Date.now() - 1 })],
  ])('%s, and leads nowhere', async (_what, url) => {
    const browser = setup.browser()
    await signIn(browser, member)
    const reply = await browser.open(await url())
    expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
  })

  it('gets neither a code nor another address from the authorization server', async () => {
    const authorize = (change: Record<string, string>) => {
      const client = { client_id: 'recto-sites', redirect_uri: `${publicUrl}${visitPath}`, scope: 'openid' }
      const parameters = new URLSearchParams({ response_type: 'none', state: 'x', ...client, ...change })
      return setup.browser().open(`${publicUrl}/oauth/authorize?${parameters}`)
    }
    const code = await authorize({ response_type: 'code', code_challenge: 'x'.repeat(43) })
    expect(code.headers.get('location')).toMatch(/error=/)
    expect((await authorize({ redirect_uri: 'https://evil.test/' })).status).toBe(400)
    const document = await (await setup.fetch(`${publicUrl}/.well-known/oauth-authorization-server`)).json()
    expect(document).toMatchObject({ response_types_supported: ['code'] })
  })
})

describe('somebody who does not read the site', () => {
  const otherAccount = (text: string) => unescaped(/<a class="button" href="([^"]+)">Use another/.exec(text)?.[1] ?? '')

  it('is told why, and signs in as somebody else', async () => {
    const stranger = (await anOrganization(setup.identity)).admin
    const browser = setup.browser()
    const refused = await signIn(browser, stranger)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('This site is for members of Acme, and you are none.')
    expect(refused.text).toContain(stranger.email)
    const page = await browser.follow(otherAccount(refused.text))
    expect(page.text).toContain('Sign in to read Manual.')
    const location = locationOf(await browser.submit(page, '/sign-in', { token: member.token }))
    expect((await redeem(location.searchParams.get('code'))).member?.user).toBe(member.id)
  })

  it('is a platform administrator who is no member, or a member from whom it is hidden', async () => {
    const hidden = await aMember(setup.identity, organization.id)
    publishing.hideFrom(hidden.id)
    const page = await signIn(setup.browser(), hidden)
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('is not open to you')])
    const elsewhere = await signIn(setup.browser(), member, { organization: createId() })
    expect([elsewhere.status, otherAccount(elsewhere.text)]).toEqual([403, expect.stringContaining('prompt=login')])
  })

  it('has not used the single sign-on that the organization requires', async () => {
    const strict = await anOrganization(setup.identity, { title: 'Strict' })
    const person = await aMember(setup.identity, strict.id)
    const other = await anOrganization(setup.identity)
    const params = { organizationId: strict.id }
    await (await strict.admin.client()).updateOrganizationById({ params, body: { sso: true } })
    await query(
      setup.identity.service.db,
      `insert into members (organization_id, user_id, role, sso, disabled, joined_at)
      values ('${other.id}', '${person.id}', 'read', false, false, now())`,
    )
    const strictSite = { organization: strict.id, site: publishing.aSite(strict.id) }
    const page = await signIn(setup.browser(), person, strictSite)
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('Strict requires its single sign-on')])
  })
})

describe('the session of a member', () => {
  it.each<[string, (user: TestUser, session: string) => Promise<unknown>]>([
    [
      'they end it in their list',
      (user, session) => setup.api(user.token, `/user/sessions/${session}`, { method: 'DELETE' }),
    ],
    ['they sign out at a site', (_user, session) => visits.endVisit({ body: { session } })],
    [
      'their token is revoked',
      async user => {
        const token = await tokens.findByHash(setup.identity.service.db, hashToken(user.token))
        return setup.api(user.token, `/user/tokens/${token?.id}`, { method: 'DELETE' })
      },
    ],
    [
      'they are removed',
      async ({ id }) =>
        (await organization.admin.client()).removeMemberFromOrganizationById({
          params: { organizationId: organization.id, userId: id },
        }),
    ],
    [
      'they are disabled',
      ({ id }) => query(setup.identity.service.db, 'update members set disabled = true where user_id = $1', [id]),
    ],
    [
      'it has not been used',
      (_user, session) =>
        query(setup.identity.service.db, `update oauth_sessions set expires_at = now() where uid = $1`, [session]),
    ],
  ])('is over when %s', async (_how, end) => {
    const user = await aMember(setup.identity, organization.id)
    const browser = setup.browser()
    const session = await aSession(user, browser)
    expect((await find(session)).member?.user).toBe(user.id)
    await end(user, session)
    expect((await find(session)).member).toBeNull()
    expect((await browser.follow(await begin())).status).not.toBe(303)
  })

  it('says at once what has changed of them, and is of no use in another organization', async () => {
    const user = await aMember(setup.identity, organization.id, 'read')
    const session = await aSession(user)
    await (
      await organization.admin.client()
    ).updateMemberInOrganizationById({
      params: { organizationId: organization.id, userId: user.id },
      body: { role: 'review' },
    })
    expect((await find(session)).member?.role).toBe('review')
    expect((await find(session, (await anOrganization(setup.identity)).id)).member).toBeNull()
  })

  it('is used by reading a site, so that it ends unused nowhere, and in any case in time', async () => {
    const { db } = setup.identity.service
    const browser = setup.browser()
    const user = await aMember(setup.identity, organization.id)
    const session = await aSession(user, browser)
    const times = async () =>
      (
        await query<{ seen: Date; ends: Date }>(
          db,
          'select last_seen_at as seen, expires_at as ends from oauth_sessions where uid = $1',
          [session],
        )
      )[0]
    await find(session)
    const before = await times()
    await query(
      db,
      `update oauth_sessions set last_seen_at = now() - interval '50 minutes', expires_at = now() + interval '10 minutes' where uid = $1`,
      [session],
    )
    await find(session)
    const after = await times()
    expect(after?.seen.getTime()).toBeGreaterThanOrEqual(before?.seen.getTime() ?? Infinity)
    expect(after?.ends.getTime()).toBeGreaterThan(Date.now() + 55 * 60_000)
    expect((await browser.open(await begin())).status).toBe(303)
    const started = `now() - interval '43190 seconds'`
    await query(db, `update oauth_sessions set created_at = ${started}, last_seen_at = ${started} where uid = $1`, [
      session,
    ])
    await find(session)
    expect((await times())?.ends.getTime()).toBeLessThan(Date.now() + 15_000)
  })

  it('has a cookie for as long as the browser is open', async () => {
    const browser = setup.browser()
    await signIn(browser, member)
    const reply = await browser.open(await begin())
    expect(reply.status).toBe(303)
    const login = await setup.browser().follow(await begin())
    expect(login.headers.getSetCookie().join()).not.toMatch(/recto-session=[^;]+;[^,]*expires=/i)
  })
})

it('Whoever is nobody has no session', async () => {
  await aUser(setup.identity)
  expect((await find(createId())).member).toBeNull()
  await visits.endVisit({ body: { session: createId() } })
})
