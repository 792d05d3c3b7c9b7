import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { anOpenIdProvider, eventually, signedByAnother, type OpenIdProvider } from '@recto/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { sendOk, sendRaw } from './people.ts'
import { aPublishedSite, ask, aSpace, readerSites, type ReaderSites } from './reader-sites.ts'
import { aWebBrowser, type WebBrowser } from './web-browser.ts'

const sealing = 'visitor.claims.plan == "pro"'

let sites: ReaderSites
let siteId: string
let name: string
let root: string
let provider: OpenIdProvider
beforeAll(async () => {
  sites = await readerSites({ READER_FRESH: '0' })
  const page = (title: string, more: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown: `# ${title}\n\nWords of ${title.toLowerCase()}.\n` },
    ...more,
  })
  const space = await aSpace(sites, 'Members', [page('Home'), page('Guide'), page('Gold', { condition: sealing })])
  const settings = { visibility: 'visitor-auth', adaptiveContent: { enabled: true } }
  const site = await aPublishedSite(sites, { title: 'Members docs', spaces: [space], settings })
  siteId = site.siteId
  name = site.name
  root = `${sites.reader}/${name}`
})
afterAll(async () => {
  await sites.stop()
})
beforeEach(async () => {
  provider = await anOpenIdProvider()
  provider.user = { ...provider.user, plan: 'free' }
  await setProvider()
})
afterEach(() => provider.stop())

const authPath = () => `/orgs/${sites.organizationId}/sites/${siteId}/publishing/auth`
const setProvider = (change: object = {}) => {
  const { issuer, client } = provider
  const oidc = { issuer, clientId: client.id, clientSecret: client.secret, claims: { plan: 'plan' }, ...change }
  return sendOk<{ oidc: Record<string, unknown> }>(sites.stack, sites.admin, {
    method: 'PATCH',
    path: authPath(),
    body: { oidc },
  })
}

/** Opens a page in a browser that signs in where it is sent to. */
async function signedIn(path = ''): Promise<WebBrowser> {
  const browser = aWebBrowser()
  await eventually(async () => expect((await browser.open(`${root}/${path}`)).status).toBe(200))
  return browser
}

/** Goes from a page to where the provider sends the browser back, which it does not open. */
const toCallback = (browser: WebBrowser) => browser.until(`${root}/guide`, `${root}/~recto/sign-in/callback`)
const sessionOf = (browser: WebBrowser) => browser.cookies(`${root}/`)['recto-session'] ?? ''

describe('a visitor', () => {
  it('signs in at the provider, and comes back to the page that they asked for', async () => {
    const browser = aWebBrowser()
    const { status, text, urls } = await browser.open(`${root}/guide?a=1`)
    expect(status).toBe(200)
    expect(text).toContain('Words of guide.')
    expect(urls.at(-1)).toBe(`${root}/guide?a=1`)
    expect(urls[1]).toBe(`${root}/~recto/sign-in?location=%2Fguide%3Fa%3D1`)
    expect(urls[2]).toMatch(`${provider.issuer}/authorize`)
    expect((await browser.get(`${root}/`)).text).toContain('Words of home.')
  })

  it('sees what their claims open, and nobody sees what those of another do', async () => {
    const free = await signedIn()
    provider.user = { ...provider.user, sub: 'bob', plan: 'pro' }
    const pro = await signedIn()
    for (const _again of [1, 2]) {
      expect((await pro.get(`${root}/gold`)).text).toContain('Words of gold.')
      expect((await free.get(`${root}/gold`)).status).toBe(404)
      expect((await free.get(`${root}/`)).text).not.toContain('Gold')
      expect((await ask(`${root}/gold`)).status).toBe(307)
    }
    const { headers } = await pro.get(`${root}/gold`)
    expect(headers['cache-control']).toMatch(/private/)
  })

  it('has a cookie that no script reads and no other site sends, a new one with each sign-in', async () => {
    const browser = await signedIn()
    const first = sessionOf(browser)
    const answer = await browser.get(await toSignInAgain(browser))
    const cookie = (answer.headers['set-cookie'] ?? []).find(text => text.startsWith('recto-session='))
    expect(cookie).toMatch(/; Path=\/[^;]+\/;/)
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Max-Age=']) expect(cookie).toContain(attribute)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(sessionOf(browser)).not.toBe(first)
    const { status } = await ask(`${root}/`, { headers: { cookie: `recto-session=${first}` } })
    expect(status).toBe(307)
  })

  it('has one that no other host can set, on a site at a host of its own', async () => {
    const host = `${name}.docs.localhost`
    const askHost = (path: string, headers: object = {}) =>
      ask(`${sites.reader}${path}`, { headers: { host, ...headers } })
    const start = await askHost('/~recto/sign-in?location=%2Fguide')
    const [browserCookie = ''] = start.headers['set-cookie'] ?? []
    expect(browserCookie).toMatch(
      /^__Host-recto-sign-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const back = await ask(start.headers.location ?? '')
    const callback = new URL(back.headers.location ?? '')
    expect(callback.origin).toBe(`http://${host}`)
    const path = `${callback.pathname}${callback.search}`
    const end = await askHost(path, { cookie: browserCookie.split(';')[0] })
    expect(end.headers.location).toBe('/guide')
    const session = (end.headers['set-cookie'] ?? []).find(text => text.startsWith('__Host-recto-session='))
    const cookie = session?.split(';')[0] ?? ''
    expect((await askHost('/guide', { cookie })).text).toContain('Words of guide.')
    // As another host would set it.
    expect((await askHost('/guide', { cookie: cookie.replace('__Host-', '') })).status).toBe(307)
  })

  it('signs out here and at the provider, and their session opens nothing any more', async () => {
    const browser = await signedIn()
    const cookie = `recto-session=${sessionOf(browser)}`
    const { urls, text } = await browser.open(`${root}/~recto/sign-out`)
    expect(urls[1]).toMatch(`${provider.issuer}/logout`)
    expect(urls.at(-1)).toBe(`${root}/~recto/signed-out`)
    expect(text).toContain('You are signed out')
    expect(text).not.toContain('Words of')
    expect(browser.cookies(`${root}/`)['recto-session']).toBeUndefined()
    expect((await ask(`${root}/`, { headers: { cookie } })).status).toBe(307)
  })

  it('signs in and out at the addresses of the other reader, too', async () => {
    const browser = await signedIn()
    const { urls } = await browser.open(`${root}/~gitbook/auth/logout`)
    expect(urls.at(-1)).toBe(`${root}/~recto/signed-out`)
    const again = await browser.open(`${root}/~gitbook/auth/login`)
    expect(again.urls.at(-1)).toBe(`${root}/`)
  })

  it('is signed out by the provider at once, for all readers', async () => {
    provider.user = { ...provider.user, sid: 'a-session' }
    const browser = await signedIn()
    const cookie = `recto-session=${sessionOf(browser)}`
    const token = await provider.logoutToken({ sub: 'ada', sid: 'a-session' })
    const { oidc } = await setProvider()
    const response = await fetch(String(oidc.backchannelLogoutURL), {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })
    expect(response.status).toBe(204)
    expect((await ask(`${root}/`, { headers: { cookie } })).status).toBe(307)
    const lookup = await sendRaw(sites.stack.url, undefined, {
      method: 'POST',
      path: '/urls/published',
      body: { url: `https://${name}.docs.localhost/`, visitor: { jwtToken: cookie.slice('recto-session='.length) } },
    })
    expect(lookup.status).toBe(403)
  })

  it('begins no sign-in by an image or a script of a closed page', async () => {
    const { status, headers } = await aWebBrowser().get(`${root}/~recto/sign-in`, { 'sec-fetch-dest': 'image' })
    expect([status, headers['set-cookie']]).toEqual([403, undefined])
  })

  it('reads a site by a token that its key signs, as ever', async () => {
    const { claims } = sites.closed.login
    expect(claims).toBeDefined()
    const login = await ask(`${sites.reader}/${sites.closed.name}/`)
    expect(login.headers.location).toContain('/login')
  })
})

/** The address of the callback of another sign-in of a browser that is signed in. */
const toSignInAgain = (browser: WebBrowser) =>
  browser.until(`${root}/~recto/sign-in?location=%2F`, `${root}/~recto/sign-in/callback`)

describe('nobody without a session', () => {
  it.each(['', 'guide', 'guide.md', 'llms.txt', 'sitemap.xml', '~recto/search?q=words', 'rss.xml'])(
    'sees content at %s',
    async path => {
      const { status, text, headers } = await ask(`${root}/${path}`)
      expect([status, text]).toEqual([307, ''])
      expect(headers.location).toContain('/~recto/sign-in')
      expect(headers['cache-control']).toBe('no-store')
    },
  )

  it('gets a sign-in into an index', async () => {
    for (const path of ['~recto/sign-in', '~recto/signed-out', '~recto/sign-in/callback'])
      expect((await ask(`${root}/${path}`)).headers['x-robots-tag']).toBe('noindex')
  })
})

describe('an attacker', () => {
  it('ends no sign-in of another browser', async () => {
    const callback = await toCallback(aWebBrowser())
    const victim = aWebBrowser()
    await toCallback(victim)
    for (const browser of [aWebBrowser(), victim]) {
      const { status, text } = await browser.get(callback)
      expect(status).toBe(403)
      expect(text).toContain('Sign in again')
      expect(sessionOf(browser)).toBe('')
    }
  })

  it('ends no sign-in twice, with the same code or another', async () => {
    const browser = aWebBrowser()
    const callback = await toCallback(browser)
    const other = new URL(await toCallback(browser))
    expect((await browser.get(callback)).status).toBe(307)
    const mixed = new URL(callback)
    mixed.searchParams.set('code', other.searchParams.get('code') ?? '')
    for (const url of [callback, mixed.href]) expect((await browser.get(url)).status).toBe(403)
    expect(provider.requests.filter(({ path }) => path === '/token')).toHaveLength(1)
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/%09/evil.example',
    '/..//evil.example',
    '/%2F/evil.example',
    '@evil.example',
  ])('sends nobody to %s', async location => {
    const browser = aWebBrowser()
    const { urls } = await browser.open(`${root}/~recto/sign-in?${new URLSearchParams({ location }).toString()}`)
    const allowed = [new URL(root).origin, provider.issuer]
    expect(urls.filter(url => !allowed.includes(new URL(url).origin))).toEqual([])
    expect(urls.at(-1)).toMatch(new RegExp(`^${root}/`))
  })

  it('leads no sign-in to a place that is not the site', async () => {
    const host = 'evil.example'
    const { status } = await ask(`${sites.reader}/~recto/sign-in`, { headers: { host } })
    expect(status).toBe(404)
    expect(provider.requests).toEqual([])
  })

  it.each<[string, (of: OpenIdProvider) => void]>([
    ['another nonce', of => void (of.claims = { nonce: 'x' })],
    ['another issuer', of => void (of.claims = { iss: 'https://evil.example' })],
    ['another audience', of => void (of.claims = { aud: 'x' })],
    ['another key', of => void (of.sign = signedByAnother(of))],
    ['an answer of another issuer', of => void (of.response = { iss: 'https://evil.example' })],
    ['a refusal', of => void (of.response = { error: 'access_denied', code: undefined })],
  ])('signs nobody in with %s', async (_title, change) => {
    change(provider)
    const browser = aWebBrowser()
    const { status, headers } = await browser.get(await toCallback(browser))
    expect([status, headers['cache-control'], sessionOf(browser)]).toEqual([403, 'no-store', ''])
  })
})

describe('a sign-in', () => {
  it.each(['/.well-known/openid-configuration', '/token'])(
    'says so in time when the provider never answers at %s',
    async path => {
      const browser = aWebBrowser()
      provider.answers = { [path]: () => undefined }
      // Another client, of which nothing is kept.
      await setProvider({ clientSecret: `another-${path}` })
      const { status, text } = await browser.open(`${root}/guide`).catch(async () => browser.get(`${root}/guide`))
      expect([status, text]).toEqual([503, expect.stringContaining('does not answer')])
    },
  )

  it('reaches no private address', async () => {
    await setProvider({ issuer: 'https://10.1.2.3', clientSecret: 's' })
    const { status } = await aWebBrowser().open(`${root}/guide`)
    expect(status).toBe(503)
  })

  it('is begun again when the settings of the site change meanwhile', async () => {
    const browser = aWebBrowser()
    const callback = await toCallback(browser)
    await setProvider({ scopes: ['email'] })
    const { status, text } = await browser.get(callback)
    expect([status, text]).toEqual([403, expect.stringContaining('has changed how visitors sign in')])
    expect((await browser.open(`${root}/guide`)).status).toBe(200)
  })

  it('goes on after publishing was killed before it came back', async () => {
    const browser = aWebBrowser()
    const callback = await toCallback(browser)
    process.kill(sites.stack.pidOf('publishing'), 'SIGKILL')
    await eventually(async () => expect((await aWebBrowser().get(`${root}/~recto/sign-in`)).status).toBe(307))
    expect((await browser.get(callback)).status).toBe(307)
    expect((await browser.get(`${root}/guide`)).text).toContain('Words of guide.')
  })

  it('is begun again after publishing was killed while it asked for tokens, and uses nothing twice', async () => {
    const browser = aWebBrowser()
    const callback = await toCallback(browser)
    provider.beforeTokens = async () => {
      provider.beforeTokens = undefined
      process.kill(sites.stack.pidOf('publishing'), 'SIGKILL')
    }
    expect((await browser.get(callback)).status).toBe(503)
    await eventually(async () => expect((await aWebBrowser().get(`${root}/~recto/sign-in`)).status).toBe(307))
    expect((await browser.get(callback)).status).toBe(403)
    expect(provider.requests.filter(({ path }) => path === '/token')).toHaveLength(1)
    await eventually(async () => expect((await browser.open(`${root}/guide`)).status).toBe(200))
  })
})

it('No secret is in a reply, a log or a record', async () => {
  const browser = await signedIn()
  const { oidc } = await setProvider()
  expect(oidc).toMatchObject({ issuer: provider.issuer, hasClientSecret: true })
  const reply = await sendOk(sites.stack, sites.admin, { method: 'GET', path: authPath() })
  const events = { method: 'GET', path: `/orgs/${sites.organizationId}/audit-events?limit=100` }
  const records = JSON.stringify(await sendOk(sites.stack, sites.admin, events))
  expect(records).toContain('site.authentication.updated')
  const folder = join(sites.stack.dataDir, 'logs')
  const logs = await Promise.all((await readdir(folder)).map(file => readFile(join(folder, file), 'utf8')))
  const secrets = [provider.client.secret, sessionOf(browser), browser.cookies(`${root}/`)['recto-sign-in'] ?? 'none']
  for (const secret of secrets)
    for (const text of [JSON.stringify([oidc, reply]), records, ...logs]) expect(text).not.toContain(secret)
})
