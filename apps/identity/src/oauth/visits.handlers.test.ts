import { hashToken } from '@recto/actor'
import { visitPath } from '@recto/actor/visit-request'
import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, aUser, type TestUser } from '../test/factories.ts'
import { publicUrl } from '../test/oauth/endpoint.ts'
import { locationOf } from '../test/oauth/program.ts'
import { aVisitSetup, redirectUri, type VisitSetup } from '../test/oauth/visit.ts'
import * as tokens from '../users/tokens.repository.ts'

let visit: VisitSetup
let { setup, publishing, visits, organization, member, begin, signIn, redeem, aSession, find } = {} as VisitSetup
beforeAll(async () => {
  visit = await aVisitSetup()
  ;({ setup, publishing, visits, organization, member, begin, signIn, redeem, aSession, find } = visit)
})
afterAll(() => visit.stop())

describe('a member who is signed in nowhere', () => {
  it('signs in at the page that names the site, and is sent back with a code, without being asked anything else', async () => {
    const team = await aTeam(setup.identity, organization, { members: [member] })
    const browser = setup.browser()
    const page = await browser.follow(await begin())
    expect(page.text).toContain('Sign in to read docs.test.')
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
    expect((await setup.browser().follow(await begin())).text).toContain('Sign in to read docs.test.')
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
    ['is sealed with another secret', () => begin({}, 'another-secret-of-32-characters-or-more')],
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
    for (const more of [
      {},
      { prompt: 'login' },
      { scope: 'openid read' },
      { scope: 'read' },
      { prompt: 'consent' },
      { prompt: 'login consent' },
    ])
      expect((await authorize(more)).headers.get('location')).toMatch(/error=invalid_/)
    const document = await (await setup.fetch(`${publicUrl}/.well-known/oauth-authorization-server`)).json()
    expect(document).toMatchObject({ response_types_supported: ['code'] })
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
