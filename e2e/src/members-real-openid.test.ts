import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anOrganization, sendOk, sendRaw } from './people.ts'
import { aRealOpenIdProvider, type RealOpenIdProvider } from './real-openid-provider.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { aWebBrowser, type WebBrowser } from './web-browser.ts'

/** Addresses of the installation for a provider. */
interface Addresses {
  startURL: string
  redirectURL: string
  backchannelLogoutURL: string
}

let stack: Installation
let provider: RealOpenIdProvider
let service: Addresses
let organizationId: string
beforeAll(async () => {
  stack = await sharedStack()
  provider = await aRealOpenIdProvider({
    name: 'Ada Lovelace',
    email: 'ada@members-real-openid.example',
    email_verified: true,
  })
  const { id, admin } = await anOrganization(stack)
  organizationId = id
  const { issuer, client } = provider
  const settings = {
    issuer,
    clientID: client.id,
    clientSecret: client.secret,
    emailDomains: ['members-real-openid.example'],
  }
  const body = { label: 'Login', defaultRole: 'read', ...settings }
  const created = await sendOk<{ service: Addresses }>(stack, admin, { method: 'POST', path: `/orgs/${id}/oidc`, body })
  service = created.service
  const { redirectURL: redirect, backchannelLogoutURL: logout } = service
  provider.register({ redirect, signedOut: stack.url, logout })
})
afterAll(async () => {
  await provider.stop()
})

/** Signs in as a browser does; resolves to the token on the page. */
async function signIn(browser: WebBrowser): Promise<string> {
  const { status, text } = await browser.open(service.startURL)
  expect([status, text]).toEqual([200, expect.stringContaining('id="token"')])
  return /<code id="token">([^<]+)</.exec(text)?.[1] ?? ''
}

/** Sends the form with which the provider asks whether its user wants to sign out. */
async function confirm(browser: WebBrowser, url: string): Promise<void> {
  const { text } = await browser.open(url)
  const form = /action="([^"]+)"[\s\S]*name="xsrf" value="([^"]+)"/.exec(text)
  await browser.post(form?.[1] ?? '', { xsrf: form?.[2] ?? '', logout: 'yes' })
}

const user = (token: string) => sendRaw(stack.url, { token }, { method: 'GET', path: '/user' })

it('A provider of others signs a member in, who is named at its userinfo endpoint', async () => {
  const token = await signIn(aWebBrowser())
  expect(await user(token)).toMatchObject({
    status: 200,
    body: { email: 'ada@members-real-openid.example', displayName: 'Ada Lovelace' },
  })
  const { status } = await sendRaw(stack.url, { token }, { method: 'GET', path: `/orgs/${organizationId}` })
  expect(status).toBe(200)
  const authorization = provider.requests.find(({ pathname }) => pathname === '/auth')
  expect(authorization?.searchParams.get('code_challenge_method')).toBe('S256')
  expect(provider.requests.filter(({ pathname }) => pathname === '/me')).toHaveLength(1)
})

it('A member who signs out through the API ends their session at the provider, which ends its token and no other', async () => {
  const browser = aWebBrowser()
  const token = await signIn(browser)
  const other = await signIn(aWebBrowser())
  await confirm(browser, service.startURL.replace(/start$/, 'logout'))
  await eventually(async () => expect((await user(token)).status).toBe(401))
  expect((await user(other)).status).toBe(200)
  expect((await user(await signIn(browser))).status).toBe(200)
})

it('A member who signs out at the provider loses the token of that session', async () => {
  const browser = aWebBrowser()
  const token = await signIn(browser)
  expect((await user(token)).status).toBe(200)
  await confirm(browser, `${provider.issuer}/session/end`)
  await eventually(async () => expect((await user(token)).status).toBe(401))
})

it('An answer of the provider signs in once', async () => {
  const browser = aWebBrowser()
  const answer = await browser.until(service.startURL, service.redirectURL)
  const cookie = Object.entries(browser.cookies(answer)).map(([name, value]) => `${name}=${value}`)
  expect((await browser.get(answer)).status).toBe(200)
  expect((await aWebBrowser().get(answer, { cookie: cookie.join('; ') })).status).toBe(401)
})
