import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { unescaped, type FormBrowser } from '@recto/testing'
import { aMember, anOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from '../test/oauth/endpoint.ts'
import { aRegisteredProgram, locationOf, refresh, type Program } from '../test/oauth/program.ts'
import { anOidcSignOn, reachesLoopback, type OidcSignOn } from '../test/oidc/sign-on.ts'
import { aSignOn, type SignOn } from '../test/saml/sign-on.ts'

let setup: OAuthSetup
let organization: { id: string; admin: TestUser }
let program: Program
let saml: SignOn
let oidc: OidcSignOn
beforeAll(async () => {
  setup = await anOAuthSetup(reachesLoopback)
  organization = await anOrganization(setup.identity, { emailDomains: ['acme.test'] })
  program = await aRegisteredProgram(setup, organization)
  saml = await aSignOn(setup.identity, { organization })
  oidc = await anOidcSignOn(setup.identity, { organization })
})
afterAll(async () => {
  await oidc.provider.stop()
  await setup.stop()
})

/** Opens the sign-in of a provider from the page that offers it; resolves to where the provider is asked. */
async function begin(browser: FormBrowser, label: string, organizationText = 'ada@acme.test') {
  const begun = await program.begin()
  const page = await browser.submit(await browser.follow(begun.url), '/organization', {
    organization: organizationText,
  })
  const href = new RegExp(`<a class="button strong" href="([^"]+)">Sign in with ${label}</a>`).exec(page.text)?.[1]
  const started = await browser.open(unescaped(href ?? ''))
  return { begun, page, location: started.headers.get('location') ?? '' }
}

/** Opens the address that a page at the end of a sign-in leads to by itself. */
async function goOn(browser: FormBrowser, text: string) {
  const url = unescaped(/http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1] ?? '')
  return { url, page: await browser.follow(url) }
}

async function samlResponse(browser: FormBrowser, location: string, person: string) {
  const xml = await saml.answers(person, { location })
  const form = {
    SAMLResponse: Buffer.from(xml).toString('base64'),
    RelayState: new URL(location).searchParams.get('RelayState') ?? '',
  }
  const path = `/v1/orgs/${organization.id}/saml/${saml.provider}/acs`
  // The provider's page sends the form: the browser sends no cookies with it.
  return { path, form, browser }
}

it('A single sign-on by SAML goes on at the page of consent, and shows no token', async () => {
  const browser = setup.browser()
  const { begun, location } = await begin(browser, 'Okta')
  const { path, form } = await samlResponse(browser, location, 'grace@acme.test')
  const done = await setup.browser().open(`${publicUrl}${path}`, { method: 'POST', form })
  expect(done.text).not.toContain('recto_')
  const { page } = await goOn(browser, done.text)
  expect(page.text).toContain('grace@acme.test')
  const answer = locationOf(await browser.submit(page, '/answer', { decision: 'allow' }))
  const tokens = await program.exchange(begun, answer)
  expect(await setup.api(tokens.access_token, '/user')).toMatchObject({ status: 200 })
})

it('A single sign-on with an OpenID provider goes on at the page of consent; its end ends the grant', async () => {
  const browser = setup.browser()
  const { begun, location } = await begin(browser, 'Keycloak')
  const back = await oidc.provider.authorize(location, 'alan@acme.test')
  const done = await browser.open(back.href)
  const { page } = await goOn(browser, done.text)
  const answer = locationOf(await browser.submit(page, '/answer', { decision: 'allow' }))
  const tokens = await program.exchange(begun, answer)
  expect(await setup.api(tokens.access_token, '/user')).toMatchObject({ status: 200 })
  const admin = await organization.admin.client()
  await admin.updateOidcProvider({ params: oidc.params, body: { clientID: 'another' } })
  expect(await setup.api(tokens.access_token, '/user')).toMatchObject({ status: 401 })
  await expect(refresh(program, tokens.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  expect((await browser.follow((await program.begin()).url)).text).toContain('asks for access. Sign in')
})

it('A ticket of a sign-in is of no use to a browser that has not begun it, and to no other afterwards', async () => {
  const attacker = setup.browser()
  const { location } = await begin(attacker, 'Okta')
  const victim = setup.browser()
  const { path, form } = await samlResponse(victim, location, 'grace@acme.test')
  const done = await victim.open(`${publicUrl}${path}`, { method: 'POST', form })
  const { url, page } = await goOn(victim, done.text)
  expect(page.status).toBe(400)
  expect((await attacker.follow(url)).status).toBe(400)
})

it.each([
  ['an e-mail of a domain that nobody has', 'nobody@nowhere.test'],
  ['an unknown organization', 'nothing'],
  ['nothing', ''],
])('The sign-in of %s is not found, in the same words', async (_case, text) => {
  const { page } = await begin(setup.browser(), 'Okta', text).catch(() => ({ page: undefined }))
  expect(page?.status ?? 401).toBe(401)
})

it('Whether somebody has an e-mail makes no difference to what is found', async () => {
  await aMember(setup.identity, organization.id, 'read', { email: 'known@acme.test' })
  const { page: ofMember } = await begin(setup.browser(), 'Okta', 'known@acme.test')
  const { page: ofNobody } = await begin(setup.browser(), 'Okta', 'unknown@acme.test')
  const links = (text: string) => [...text.matchAll(/Sign in with [^<]+/g)].map(([link]) => link)
  expect(links(ofMember.text)).toEqual(links(ofNobody.text))
})
