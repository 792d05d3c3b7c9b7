import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { sendOk } from './people.ts'
import { aPublishedSite, ask, aSpace, readerSites, type ReaderSites } from './reader-sites.ts'
import { aRealOpenIdProvider, type RealOpenIdProvider } from './real-openid-provider.ts'
import { aWebBrowser } from './web-browser.ts'

let sites: ReaderSites
let provider: RealOpenIdProvider
let root: string
beforeAll(async () => {
  sites = await readerSites()
  provider = await aRealOpenIdProvider({ name: 'Ada', email: 'ada@example.com', email_verified: true, plan: 'pro' })
  const markdown = '# Home\n\n{% if visitor.claims.plan == "pro" %}\nFor those who pay.\n{% endif %}\n'
  const changes = [{ operation: 'insert_page', title: 'Home', document: { markdown } }]
  const space = await aSpace(sites, 'Members', changes)
  const settings = { visibility: 'visitor-auth', adaptiveContent: { enabled: true } }
  const site = await aPublishedSite(sites, { title: 'Members docs', spaces: [space], settings })
  root = `${sites.reader}/${site.name}`
  const { oidc } = await sendOk<{ oidc: { backchannelLogoutURL: string; redirectURLs: string[] } }>(
    sites.stack,
    sites.admin,
    {
      method: 'PATCH',
      path: `/orgs/${sites.organizationId}/sites/${site.siteId}/publishing/auth`,
      body: {
        oidc: {
          issuer: provider.issuer,
          clientId: provider.client.id,
          clientSecret: provider.client.secret,
          claims: { plan: 'plan', mail: 'email' },
        },
      },
    },
  )
  const redirect = `${root}/~recto/sign-in/callback`
  expect(oidc.redirectURLs).toContain(redirect)
  provider.register({ redirect, signedOut: `${root}/~recto/signed-out`, logout: oidc.backchannelLogoutURL })
})
afterAll(async () => {
  await sites.stop()
  await provider.stop()
})

it('A provider of others signs visitors in, and out by its own word', async () => {
  const browser = aWebBrowser()
  await eventually(async () => expect((await browser.open(`${root}/`)).text).toContain('For those who pay.'))
  const cookie = `recto-session=${browser.cookies(`${root}/`)['recto-session']}`
  // Another browser of the same user, with the same session at the provider, that signs out there.
  const end = await browser.until(`${root}/~recto/sign-out`, `${provider.issuer}/session/end`)
  const { text } = await browser.get(end)
  const form = /action="([^"]+)"[\s\S]*name="xsrf" value="([^"]+)"/.exec(text)
  const confirmed = await browser.post(form?.[1] ?? '', { xsrf: form?.[2] ?? '', logout: 'yes' })
  expect(confirmed.headers.location).toBe(`${root}/~recto/signed-out`)
  await eventually(async () => expect((await ask(`${root}/`, { headers: { cookie } })).status).toBe(307))
})

it('A provider of others ends the session of another browser', async () => {
  const browser = aWebBrowser()
  expect((await browser.open(`${root}/`)).text).toContain('For those who pay.')
  const cookie = `recto-session=${browser.cookies(`${root}/`)['recto-session']}`
  // The user signs out at the provider, and not at the site: the provider tells the site.
  const { text } = await browser.get(`${provider.issuer}/session/end`)
  const form = /action="([^"]+)"[\s\S]*name="xsrf" value="([^"]+)"/.exec(text)
  expect((await browser.get(`${root}/`)).status).toBe(200)
  await browser.post(form?.[1] ?? '', { xsrf: form?.[2] ?? '', logout: 'yes' })
  await eventually(async () => expect((await ask(`${root}/`, { headers: { cookie } })).status).toBe(307))
})
