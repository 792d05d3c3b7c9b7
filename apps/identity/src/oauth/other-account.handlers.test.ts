import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { query, transact } from '@recto/database'
import { changeActive } from '../members/change-standing.ts'
import { aMember, anOrganization, joinOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, type OAuthSetup } from '../test/oauth/endpoint.ts'
import { aRegisteredProgram, authorize, decide, locationOf, type Program } from '../test/oauth/program.ts'

let setup: OAuthSetup
let organization: { id: string; admin: TestUser }
let member: TestUser
let stranger: TestUser
let program: Program
beforeAll(async () => {
  setup = await anOAuthSetup()
  organization = await anOrganization(setup.identity)
  member = await aMember(setup.identity, organization.id)
  stranger = (await anOrganization(setup.identity)).admin
  program = await aRegisteredProgram(setup, organization)
})
afterAll(() => setup.stop())

/** Signs in, and resolves to the page that follows. */
const signIn = async (user: TestUser, parameters: Record<string, string> = {}) => {
  const browser = setup.browser()
  const begun = await program.begin(parameters)
  const page = await browser.submit(await browser.follow(begun.url), '/sign-in', { token: user.token })
  return { browser, begun, page }
}
/** The sessions of a user whose end is recorded. */
const endedSessionsOf = ({ id }: TestUser) =>
  query(
    setup.identity.service.db,
    `select from outbox where payload->>'type' = 'session.ended' and payload->'subject'->>'user' = $1`,
    [id],
  )
const sessionsOf = async (user: TestUser) => (await (await user.client()).listSessions()).items.length

describe('A person with the wrong account', () => {
  it('uses another one from the page of consent, and the first one is signed out', async () => {
    const { browser, begun, page } = await signIn(organization.admin)
    expect(page.text).toContain(organization.admin.email)
    const before = await sessionsOf(organization.admin)
    const again = await browser.submit(page, '/answer', { decision: 'switch' })
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('Sign in to decide')])
    expect(await sessionsOf(organization.admin)).toBe(before - 1)
    expect(await endedSessionsOf(organization.admin)).toHaveLength(1)
    const consent = await browser.submit(again, '/sign-in', { token: member.token })
    expect(consent.text).toContain(member.email)
    const answer = locationOf(await browser.submit(consent, '/answer', { decision: 'allow' }))
    const { access_token } = await program.exchange(begun, answer)
    expect(await setup.api(access_token, '/user')).toMatchObject({ body: { id: member.id } })
  })

  it('signs in as somebody else, and the end of the first session is recorded', async () => {
    const first = await aMember(setup.identity, organization.id)
    const second = await aMember(setup.identity, organization.id)
    const { browser } = await signIn(first)
    const again = await browser.follow((await program.begin({ prompt: 'login' })).url)
    await browser.submit(again, '/sign-in', { token: second.token })
    expect([await sessionsOf(first), await endedSessionsOf(first)]).toEqual([0, [expect.anything()]])
    expect([await sessionsOf(second), await endedSessionsOf(second)]).toEqual([1, []])
  })

  it('sees the sign-in again when the page is loaded once more', async () => {
    const { browser, page } = await signIn(organization.admin)
    await browser.submit(page, '/answer', { decision: 'switch' })
    expect((await browser.open(page.url)).text).toContain('Sign in to decide')
  })

  it('of another organization is told why, and may go back', async () => {
    const { browser, page } = await signIn(stranger)
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('This account is none of them')])
    expect(page.text).toContain('Use another account')
    const denied = locationOf(await browser.submit(page, '/answer', { decision: 'deny' }))
    expect(denied.searchParams.get('error')).toBe('access_denied')
  })

  it('gets nothing by an answer that the page does not offer', async () => {
    const { browser, page } = await signIn(stranger)
    const reply = locationOf(await browser.submit(page, '/answer', { decision: 'allow' }))
    expect([reply.searchParams.get('error'), reply.searchParams.get('code')]).toEqual(['access_denied', null])
  })
})

describe('An authorization', () => {
  it('whose form is sent four times at once makes one grant', async () => {
    const { browser, page } = await signIn(organization.admin)
    const grants = async () => (await (await organization.admin.client()).listGrants({ query: { limit: 100 } })).items
    const before = (await grants()).length
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => browser.submit(page, '/answer', { decision: 'allow' })),
    )
    expect(answers.some(({ headers }) => headers.get('location') !== null)).toBe(true)
    expect((await grants()).length).toBe(before + 1)
  })

  it.each([
    ['no scope', ''],
    ['scopes that do not exist', 'nothing openid'],
  ])('with %s is refused before anybody signs in', async (_case, scope) => {
    const location = locationOf(await setup.browser().open((await program.begin({ scope })).url))
    expect(location.searchParams.get('error')).toBe('invalid_scope')
  })

  it.each(['fragment', 'form_post', 'jwt'])('with the response mode %s is refused by a page', async response_mode => {
    const page = await setup.browser().open((await program.begin({ response_mode })).url)
    expect([page.status, page.headers.get('location'), page.text.includes('<script')]).toEqual([400, null, false])
  })

  it('says who has registered the program', async () => {
    expect((await signIn(organization.admin)).page.text).toContain('An administrator of your organization')
  })
})

describe('What a member has allowed a program of the organization', () => {
  const setActive = (userId: string, isActive: boolean) =>
    transact(
      setup.identity.service.db,
      ({ subject, id: signal, payload }) => setup.identity.service.bus.signal(subject, signal, payload),
      tx => changeActive(tx, { organization: organization.id, userId }, isActive),
    )
  const changes: [string, (userId: string) => Promise<unknown>, (userId: string) => Promise<unknown>][] = [
    ['is disabled', id => setActive(id, false), id => setActive(id, true)],
    [
      'is removed',
      async userId =>
        (await organization.admin.client()).removeMemberFromOrganizationById({
          params: { organizationId: organization.id, userId },
        }),
      userId => joinOrganization(setup.identity, { organization: organization.id, userId, role: 'read' }),
    ],
  ]

  it.each(changes)('ends when the member %s, and does not come back', async (_case, end, begin) => {
    const user = await aMember(setup.identity, organization.id)
    const elsewhere = await anOrganization(setup.identity)
    await joinOrganization(setup.identity, { organization: elsewhere.id, userId: user.id, role: 'read' })
    const { access_token } = await authorize(setup, program, { token: user.token })
    await end(user.id)
    expect(await setup.api(access_token, '/user')).toMatchObject({ status: 401 })
    await begin(user.id)
    expect(await setup.api(access_token, '/user')).toMatchObject({ status: 401 })
    expect((await (await user.client()).listGrants()).items).toEqual([])
  })
})

it('A name of a program has no characters that reorder the text around it', async () => {
  const params = { organizationId: organization.id }
  const client = await organization.admin.client()
  const body = { name: 'Wi\u202eki\n search', redirectURIs: ['https://program.test/'] }
  expect(await client.createOAuthClient({ params, body })).toMatchObject({ name: 'Wi ki search' })
  await expect(client.createOAuthClient({ params, body: { ...body, name: '\u202e' } })).rejects.toMatchObject({
    details: [expect.objectContaining({ path: 'body.name' })],
  })
})

it('A browser that decides for somebody else is asked again', async () => {
  const answer = await decide(setup.browser(), (await program.begin({ prompt: 'login' })).url, { token: member.token })
  expect(answer.searchParams.get('code')).toEqual(expect.any(String))
})
