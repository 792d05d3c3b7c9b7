import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { failure, openIdTestClient } from '@recto/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Reason } from '../sign-ins/refusal.ts'
import { aMember, aUser } from '../test/factories.ts'
import type { TestBrowser } from '../test/oidc/browser.ts'
import { hostileAnswers, hostileMetadata } from '../test/oidc/hostile-providers.ts'
import { anOidcSignOn, reachesLoopback, type OidcSignOn } from '../test/oidc/sign-on.ts'
import { aLoggedIdentity, type LoggedIdentity } from '../test/saml/sign-on.ts'

let logged: LoggedIdentity
let on: OidcSignOn
let browser: TestBrowser
beforeAll(async () => void (logged = await aLoggedIdentity({ ...reachesLoopback, OIDC_TIMEOUT: '1000' })))
beforeEach(async () => {
  on = await anOidcSignOn(logged.identity)
  browser = on.browser()
  logged.takeLines()
})
afterEach(() => on.provider.stop())
afterAll(() => logged.identity.stop())

const anEmail = () => `${createId().toLowerCase()}@recto.test`
const admin = () => on.organization.admin.client()

/** The reason in the log and in the record, which are the only places that have it. */
async function expectRefused(end: Promise<unknown>, reason: Reason): Promise<void> {
  expect(await failure(end)).toBe('unauthenticated')
  expect(logged.takeLines()).toMatchObject([{ reason, organization: on.organization.id }])
  const records = await query<{ payload: { type: string; details: unknown; subject: unknown } }>(
    logged.identity.service.db,
    `select payload from outbox where payload::text like '%member.sign-in.refused%' and payload::text like $1
     order by (payload->>'number')::int`,
    [`%${on.params.oidcProviderId}%`],
  )
  expect(JSON.stringify(records.at(-1))).toContain(`"reason":"${reason}"`)
}

/** Nobody has become a member by what was refused. */
async function expectNoMembers(): Promise<void> {
  const params = { organizationId: on.organization.id }
  const { items } = await (await admin()).listMembersInOrganizationById({ params, query: {} })
  expect(items.map(({ id }) => id)).toEqual([on.organization.admin.id])
}

const { secret: clientSecret } = openIdTestClient

/** Nobody listens there. */
const unreachable = 'https://10.255.255.1:1/'

describe('A sign-in is refused for', () => {
  it.each(hostileAnswers(() => on.provider))('%s (%s)', async (_case, reason, behaviour) => {
    on.provider.behave(typeof behaviour === 'function' ? await behaviour() : behaviour)
    await expectRefused(browser.open(await on.begin(anEmail(), browser)), reason)
    await expectNoMembers()
  })

  it.each<[string, Reason]>([
    ['token_endpoint', 'token_response'],
    ['jwks_uri', 'keys'],
    ['userinfo_endpoint', 'user_info'],
  ])('a private address as %s, which is not asked (%s)', async (name, reason) => {
    on.provider.behave({ metadata: { [name]: unreachable }, claims: { email: undefined } })
    expect(await failure(browser.open(await on.begin(anEmail(), browser)))).toBe('unauthenticated')
    const [line] = logged.takeLines()
    expect(line).toMatchObject({ reason, detail: expect.stringMatching(/not allowed|refused|private|public/i) })
  })
})

describe('A sign-in does not start, and the page says no reason, with', () => {
  it.each(hostileMetadata)('%s', async (_case, behaviour) => {
    on.provider.behave(behaviour)
    expect(await failure(browser.open(on.startUrl))).toBe('unauthenticated')
    expect(logged.takeLines()).toMatchObject([{ reason: 'discovery', organization: on.organization.id }])
    expect(browser.cookies.size).toBe(0)
  })

  it('an issuer at a private address', async () => {
    const client = await admin()
    await client.updateOidcProvider({ params: on.params, body: { issuer: 'https://10.255.255.1', clientSecret } })
    expect(await failure(browser.open(on.startUrl))).toBe('unauthenticated')
    expect(logged.takeLines()).toMatchObject([{ reason: 'discovery' }])
  })
})

describe('An answer is refused', () => {
  it('in another browser than the one that began', async () => {
    const answer = await on.begin(anEmail(), browser)
    await expectRefused(on.browser().open(answer), 'browser')
    // The sign-in of the browser that began is not used up by it.
    expect((await browser.open(answer)).page).toContain('recto_')
  })

  it('in a browser that has another secret', async () => {
    const answer = await on.begin(anEmail(), browser)
    for (const name of browser.cookies.keys()) browser.cookies.set(name, 'x'.repeat(43))
    await expectRefused(browser.open(answer), 'not_requested')
  })

  it('that was given before', async () => {
    const answer = await on.begin(anEmail(), browser)
    const cookies = new Map(browser.cookies)
    await browser.open(answer)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    await expectRefused(browser.open(answer), 'not_requested')
  })

  it('that is given several times at once, but for one, and its code is sent to the provider once', async () => {
    const answer = await on.begin(anEmail(), browser)
    const cookies = [...browser.cookies]
    const browsers = Array.from({ length: 4 }, () => on.browser())
    for (const each of browsers) for (const [name, value] of cookies) each.cookies.set(name, value)
    const ends = await Promise.allSettled(browsers.map(each => each.open(answer)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(on.provider.requests.filter(({ path }) => path === '/token')).toHaveLength(1)
  })

  it('more than ten minutes after the start, which is deleted by the next one', async () => {
    const answer = await on.begin(anEmail(), browser)
    const { db } = logged.identity.service
    await query(db, `update oidc_sign_ins set created_at = created_at - interval '11 minutes'`)
    await expectRefused(browser.open(answer), 'not_requested')
    await browser.open(on.startUrl)
    const sql = `select state from oidc_sign_ins where created_at < now() - interval '10 minutes'`
    expect(await query(db, sql)).toEqual([])
  })

  it('without a state', async () => {
    const answer = await on.begin(anEmail(), browser)
    answer.searchParams.delete('state')
    await expectRefused(browser.open(answer), 'browser')
  })

  it.each([true, false])(
    'of another provider than the one that it began with (which names itself: %s)',
    async names => {
      const other = await anOidcSignOn(logged.identity, { organization: on.organization })
      const mixedUp = other.browser()
      const answer = await other.begin(anEmail(), mixedUp)
      // The browser is sent to the address of the first provider, or with a sign-in of the first and the code of the other.
      const elsewhere = new URL(on.startUrl.replace('/start', '/callback'))
      elsewhere.search = answer.search
      await expectRefused(mixedUp.open(elsewhere), 'not_requested')
      const begun = await on.begin(anEmail(), browser)
      begun.searchParams.set('code', answer.searchParams.get('code') ?? '')
      if (names) begun.searchParams.set('iss', other.provider.issuer)
      await expectRefused(browser.open(begun), names ? 'response_issuer' : 'token_request')
      await other.provider.stop()
    },
  )

  it('when the work ends after the code was redeemed, and the sign-in can be begun again', async () => {
    const email = anEmail()
    on.provider.behave({
      answers: { '/userinfo': (_request, response) => response.destroy() },
      claims: { email: undefined },
    })
    const answer = await on.begin(email, browser)
    const cookies = new Map(browser.cookies)
    await expectRefused(browser.open(answer), 'user_info')
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    await expectRefused(browser.open(answer), 'not_requested')
    on.provider.behave({})
    expect(await on.token(email)).toMatch(/^recto_/)
  })
})

describe('An account', () => {
  it('of a member is not linked before they are an SSO member', async () => {
    const member = await aMember(logged.identity, on.organization.id, 'admin')
    await expectRefused(browser.open(await on.begin(member.email, browser)), 'not_sso_member')
  })

  it('of an outsider is not linked', async () => {
    const user = await aUser(logged.identity)
    await expectRefused(browser.open(await on.begin(user.email, browser)), 'outside')
  })

  it('that the provider of another organization made is not linked', async () => {
    const other = await anOidcSignOn(logged.identity, { provider: on.provider })
    const email = anEmail()
    await other.token(email)
    await expectRefused(browser.open(await on.begin(email, browser)), 'outside')
  })

  it('of a domain that is not listed is refused, also when it is a member, and domains below one are others', async () => {
    const email = anEmail()
    await on.token(email)
    await (
      await admin()
    ).updateOidcProvider({ params: on.params, body: { emailDomains: ['Corp.test', 'recto.example'] } })
    for (const refused of [email, 'ada@a.corp.test', 'ada@notcorp.test', 'ada@corp.test.evil.test'])
      await expectRefused(browser.open(await on.begin(refused, browser)), 'email_domain')
    expect(await on.token(`${createId()}@CORP.test`)).toMatch(/^recto_/)
  })
})

describe('A sign-in that is under way is refused', () => {
  const changes: [string, () => Promise<unknown>, string, Reason][] = [
    [
      'its provider becomes another client',
      async () => (await admin()).updateOidcProvider({ params: on.params, body: { clientID: 'other' } }),
      'unauthenticated',
      'provider_changed',
    ],
    [
      'its provider becomes another one',
      async () =>
        (await admin()).updateOidcProvider({ params: on.params, body: { issuer: 'https://other.test', clientSecret } }),
      'unauthenticated',
      'provider_changed',
    ],
    [
      'its provider is cleared',
      async () => (await admin()).updateOidcProvider({ params: on.params, body: { clientSecret: null } }),
      'unauthenticated',
      'provider_changed',
    ],
    [
      'its provider ends and is set up again',
      async () => {
        await (await admin()).updateOidcProvider({ params: on.params, body: { clientSecret: '' } })
        await (await admin()).updateOidcProvider({ params: on.params, body: { clientSecret } })
      },
      'unauthenticated',
      'provider_changed',
    ],
  ]
  it.each(changes)('when %s while the code is redeemed', async (_when, change, code, reason) => {
    on.provider.behave({ beforeTokens: change })
    const answer = await on.begin(anEmail(), browser)
    expect(await failure(browser.open(answer))).toBe(code)
    expect(logged.takeLines()).toMatchObject([{ reason }])
    await expectNoMembers()
  })

  it('when its provider is deleted while the code is redeemed', async () => {
    on.provider.behave({ beforeTokens: async () => (await admin()).deleteOidcProvider({ params: on.params }) })
    expect(await failure(browser.open(await on.begin(anEmail(), browser)))).toBe('not_found')
    await expectNoMembers()
  })

  it('when its provider ended and was set up again before the answer', async () => {
    const answer = await on.begin(anEmail(), browser)
    const client = await admin()
    await client.updateOidcProvider({ params: on.params, body: { emailDomains: [] } })
    await client.updateOidcProvider({ params: on.params, body: { emailDomains: ['*'] } })
    await expectRefused(browser.open(answer), 'not_requested')
  })
})
