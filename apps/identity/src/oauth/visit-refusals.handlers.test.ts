import { hashToken } from '@recto/actor'
import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { unescaped } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization } from '../test/factories.ts'
import { locationOf } from '../test/oauth/program.ts'
import { aVisitSetup, type VisitSetup } from '../test/oauth/visit.ts'

let visit: VisitSetup
let { setup, publishing, organization, member, begin, signIn, redeem, aSession, find } = {} as VisitSetup
beforeAll(async () => {
  visit = await aVisitSetup()
  ;({ setup, publishing, organization, member, begin, signIn, redeem, aSession, find } = visit)
})
afterAll(() => visit.stop())

describe('somebody who does not read the site', () => {
  const otherAccount = (text: string) => unescaped(/<a class="button" href="([^"]+)">Use another/.exec(text)?.[1] ?? '')

  it('is told why, and signs in as somebody else', async () => {
    const stranger = (await anOrganization(setup.identity)).admin
    const browser = setup.browser()
    const refused = await signIn(browser, stranger)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('not open to this account')
    expect(refused.text).not.toContain('Acme')
    expect(refused.text).toContain(stranger.email)
    const page = await browser.follow(otherAccount(refused.text))
    expect(page.text).toContain('Sign in to read docs.test.')
    const location = locationOf(await browser.submit(page, '/sign-in', { token: member.token }))
    expect((await redeem(location.searchParams.get('code'))).member?.user).toBe(member.id)
  })

  it('is a platform administrator who is no member, or a member from whom it is hidden', async () => {
    const hidden = await aMember(setup.identity, organization.id)
    publishing.hideFrom(hidden.id)
    const page = await signIn(setup.browser(), hidden)
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('not open to this account')])
    const stranger = (await anOrganization(setup.identity)).admin
    const strange = await signIn(setup.browser(), stranger)
    const withoutIds = (text: string) => text.replaceAll(/state=[^"&]+|[\w.+-]+@[\w.-]+/g, '')
    expect(withoutIds(page.text)).toBe(withoutIds(strange.text))
    expect(page.text).not.toContain('Acme')
    const elsewhere = await signIn(setup.browser(), member, { organization: createId() })
    expect([elsewhere.status, otherAccount(elsewhere.text)]).toEqual([403, expect.stringContaining('prompt=login')])
  })

  it('has signed in with a token that reads no sites', async () => {
    const user = await aMember(setup.identity, organization.id)
    const body = { name: 'issuer', scopes: ['user:tokens:write' as const] }
    const { token } = await (await user.client()).createToken({ body })
    const page = await signIn(setup.browser(), { ...user, token })
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('does not read sites')])
    const session = await aSession(user)
    await query(setup.identity.service.db, `update tokens set scopes = $2 where hash = $1`, [
      hashToken(user.token),
      ['user:tokens:write'],
    ])
    expect((await find(session)).member).toBeNull()
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
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('needs the single sign-on of its')])
    expect(page.text).not.toContain('Strict')
  })
})

it('Whoever signed in before a secret was lost begins again', async () => {
  const { db } = setup.identity.service
  const lose = async () => {
    for (const table of ['oauth_sessions', 'oauth_artifacts'])
      await query(db, `update ${table} set payload = decode(md5(payload), 'hex')`)
  }
  const browser = setup.browser()
  const user = await aMember(setup.identity, organization.id)
  const session = await aSession(user, browser)
  const code = locationOf(await browser.open(await begin())).searchParams.get('code')
  await lose()
  await query(db, `update oauth_sessions set last_seen_at = now() - interval '5 minutes' where uid = $1`, [session])
  expect((await redeem(code)).member).toBeNull()
  expect((await find(session)).member?.user).toBe(user.id)
  const page = await browser.follow(await begin())
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Sign in to read docs.test.')])
  await lose()
  const answer = await browser.submit(page, '/sign-in', { token: user.token })
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Begin again')])
})
