import { query, transact } from '@recto/database'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { changeActive } from '../members/change-standing.ts'
import { aMember, anOrganization, joinOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, type OAuthSetup } from '../test/oauth/endpoint.ts'
import { aRegisteredProgram, decide, refresh, type Program } from '../test/oauth/program.ts'

let setup: OAuthSetup
beforeAll(async () => {
  setup = await anOAuthSetup()
})
afterAll(() => setup.stop())

/** A member who has allowed a program of their organization something, and their browser. */
async function aSignedInMember() {
  const organization = await anOrganization(setup.identity)
  const program = await aRegisteredProgram(setup, organization)
  const member = await aMember(setup.identity, organization.id)
  const browser = setup.browser()
  const begun = await program.begin()
  const tokens = await program.exchange(begun, await decide(browser, begun.url, { token: member.token }))
  const isSignedIn = async () => (await browser.follow((await program.begin()).url)).text.includes('Allow Wiki search?')
  return { organization, program, member, browser, tokens, isSignedIn }
}

/** Ends the rights of a member. */
type End = (organization: { id: string; admin: TestUser }, member: TestUser) => Promise<unknown>

const ends: [string, End][] = [
  [
    'is disabled',
    ({ id }, { id: userId }) =>
      transact(
        setup.identity.service.db,
        ({ subject, id: signal, payload }) => setup.identity.service.bus.signal(subject, signal, payload),
        tx => changeActive(tx, { organization: id, userId }, false),
      ),
  ],
  [
    'is removed',
    async ({ id, admin }, { id: userId }) =>
      (await admin.client()).removeMemberFromOrganizationById({ params: { organizationId: id, userId } }),
  ],
  [
    'has to sign in by single sign-on from now on',
    async ({ id, admin }) =>
      (await admin.client()).updateOrganizationById({ params: { organizationId: id }, body: { sso: true } }),
  ],
]

it.each(ends)('The session and the grants of a member who %s are over at once', async (_case, end) => {
  const { organization, program, member, tokens, isSignedIn } = await aSignedInMember()
  expect(await isSignedIn()).toBe(true)
  expect(await setup.api(tokens.access_token, `/orgs/${organization.id}`)).toMatchObject({ status: 200 })
  await end(organization, member)
  expect((await setup.api(tokens.access_token, `/orgs/${organization.id}`)).status).toBeGreaterThanOrEqual(400)
  expect(await isSignedIn()).toBe(false)
  await expect(refresh(program, tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('Of requests that renew with one token at once, one at most gets tokens, and the grant ends', async () => {
  const { program, tokens } = await aSignedInMember()
  const replies = await Promise.allSettled(Array.from({ length: 5 }, () => refresh(program, tokens.refresh_token)))
  const renewed = replies.flatMap(reply => (reply.status === 'fulfilled' ? [reply.value] : []))
  expect(renewed.length).toBeLessThanOrEqual(1)
  for (const { access_token } of [tokens, ...renewed])
    expect(await setup.api(access_token, '/user')).toMatchObject({ status: 401 })
})

it('A grant never lives longer than the token of its sign-in', async () => {
  const organization = await anOrganization(setup.identity)
  const program: Program = await aRegisteredProgram(setup, organization)
  const expiresAt = new Date(Date.now() + 600_000).toISOString()
  const { token } = await (await organization.admin.client()).createToken({ body: { name: 'short', expiresAt } })
  const begun = await program.begin()
  const tokens = await program.exchange(begun, await decide(setup.browser(), begun.url, { token }))
  expect(tokens.expires_in).toBeLessThanOrEqual(600)
  const [grant] = (await (await organization.admin.client()).listGrants()).items
  expect(Date.parse(grant?.expiresAt ?? '')).toBeLessThanOrEqual(Date.parse(expiresAt))
})

/** Runs two requests that wait for the same rows, in their order. */
async function inOrder<A, B>(lock: [sql: string, id: string], first: () => Promise<A>, second: () => Promise<B>) {
  const { db } = setup.identity.service
  const [sql, id] = lock
  const waiting = async () => {
    const locked = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await query<{ count: number }>(db, locked))[0]?.count
  }
  const requests = await db.transaction(async tx => {
    await query(tx, sql, [id])
    const one = first()
    await eventually(async () => expect(await waiting()).toBe(1))
    const other = second()
    await eventually(async () => expect(await waiting()).toBe(2))
    return [one, other] as const
  })
  await Promise.all(requests)
}

it('A grant that is stored while its member is removed ends with the membership', async () => {
  const { organization, program, member, browser } = await aSignedInMember()
  const elsewhere = await anOrganization(setup.identity)
  await joinOrganization(setup.identity, { organization: elsewhere.id, userId: member.id, role: 'read' })
  const page = await browser.follow((await program.begin()).url)
  const admin = await organization.admin.client()
  const params = { organizationId: organization.id, userId: member.id }
  await inOrder(
    ['select from organizations where id = $1 for update', organization.id],
    () => browser.submit(page, '/answer', { decision: 'allow' }),
    () => admin.removeMemberFromOrganizationById({ params }),
  )
  expect((await (await member.client()).listGrants()).items).toEqual([])
})

it('A session that ends while a request of its browser is under way is not stored again by that', async () => {
  const { member, program, browser, isSignedIn } = await aSignedInMember()
  const api = await member.client()
  const [session] = (await api.listSessions()).items
  const sessionId = session?.id ?? ''
  const { url } = await program.begin()
  await inOrder(
    ['select from oauth_sessions where uid = $1 for update', sessionId],
    () => api.deleteSession({ params: { sessionId } }),
    () => browser.open(url),
  )
  expect((await api.listSessions()).items).toEqual([])
  expect(await isSignedIn()).toBe(false)
})
