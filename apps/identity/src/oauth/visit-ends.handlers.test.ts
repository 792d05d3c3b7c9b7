import { sealVisitEnd, sealVisitRequest, visitChallenge, visitEndPath, visitPath } from '@recto/actor/visit-request'
import { query } from '@recto/database'
import { createId } from '@recto/operation'
import type { FormBrowser } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aMember, anOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from '../test/oauth/endpoint.ts'
import { aPublishingResponder, type PublishingResponder } from '../test/publishing-responder.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const returnTo = 'https://docs.test/~recto/signed-out'

let setup: OAuthSetup
let publishing: PublishingResponder
let organization: { id: string; admin: TestUser }
beforeAll(async () => {
  setup = await anOAuthSetup()
  publishing = await aPublishingResponder(setup.identity)
  organization = await anOrganization(setup.identity)
})
afterAll(async () => {
  await publishing.stop()
  await setup.stop()
})

const soon = () => Date.now() + 60_000

/** The address to which a site sends a browser that signs out. */
async function endUrl(change: { expiresAt?: number } = {}): Promise<string> {
  const sealed = await sealVisitEnd({ host: 'docs.test', returnTo, expiresAt: soon(), ...change }, publicUrl, [secret])
  return `${publicUrl}${visitEndPath}?${new URLSearchParams({ request: sealed })}`
}

/** A request to read a site. */
const aVisit = () => {
  const site = publishing.aSite(organization.id)
  const address = { redirectUri: 'https://docs.test/~recto/sign-in/callback', state: createId() }
  const visit = { organization: organization.id, site, host: 'docs.test', ...address }
  return sealVisitRequest({ ...visit, challenge: visitChallenge('v'), expiresAt: soon() }, publicUrl, [secret])
}

/** A member who has signed in for a site, and their browser. */
async function aSignedInMember(): Promise<{ member: TestUser; browser: FormBrowser }> {
  const member = await aMember(setup.identity, organization.id)
  const browser = setup.browser()
  const page = await browser.follow(`${publicUrl}${visitPath}?${new URLSearchParams({ request: await aVisit() })}`)
  await browser.submit(page, '/sign-in', { token: member.token })
  return { member, browser }
}

const sessionsOf = async (user: TestUser) => (await (await user.client()).listSessions()).items.length
const endedSessionsOf = ({ id }: TestUser) =>
  query(
    setup.identity.service.db,
    `select from outbox where payload->>'type' = 'session.ended' and payload->'subject'->>'user' = $1`,
    [id],
  )

it('A member whose site knows nothing of them is asked, signs out, and comes back to the site', async () => {
  const { member, browser } = await aSignedInMember()
  const page = await browser.open(await endUrl())
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Sign out?')])
  expect(page.text).toContain(member.email)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://docs.test;")
  expect(await sessionsOf(member)).toBe(1)
  const reply = await browser.submit(page, '/end', {})
  expect([reply.status, reply.headers.get('location')]).toEqual([303, returnTo])
  expect([await sessionsOf(member), (await endedSessionsOf(member)).length]).toEqual([0, 1])
  const again = await browser.open(await endUrl())
  expect([again.status, again.headers.get('location')]).toEqual([303, returnTo])
})

it('Whoever is signed in nowhere is sent back at once', async () => {
  const reply = await setup.browser().open(await endUrl())
  expect([reply.status, reply.headers.get('location')]).toEqual([303, returnTo])
})

it('A form that another page has sent signs nobody out', async () => {
  const { member, browser } = await aSignedInMember()
  const form = { request: new URL(await endUrl()).searchParams.get('request') ?? '' }
  const other = await aSignedInMember()
  const page = await other.browser.open(await endUrl())
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  for (const fields of [form, { ...form, csrf: 'x' }, { ...form, csrf }])
    expect((await browser.open(`${publicUrl}${visitEndPath}`, { method: 'POST', form: fields })).status).toBe(400)
  expect(await sessionsOf(member)).toBe(1)
})

it.each<[string, () => Promise<string> | string]>([
  ['is made up', () => 'x'],
  ['is missing', () => ''],
  ['is one to sign in', () => aVisit()],
  ['has expired', async () => new URL(await endUrl({ expiresAt: Date.now() - 1 })).searchParams.get('request') ?? ''],
])('A request to sign out that %s leads nowhere, and ends nothing', async (_what, make) => {
  const { member, browser } = await aSignedInMember()
  const request = await make()
  const reply = await browser.open(`${publicUrl}${visitEndPath}?${new URLSearchParams({ request })}`)
  expect([reply.status, reply.headers.get('location'), await sessionsOf(member)]).toEqual([400, null, 1])
})
