import { eventually, formsOf } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findBrowser, openPage, startBrowser } from './browser.ts'
import { aMember, anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { aPublishedSite, aSpace, readerSites, type Answer, type ReaderSites } from './reader-sites.ts'
import { removeData } from './stack.ts'
import { aWebBrowser, type WebBrowser } from './web-browser.ts'

/** A site that members read, and where browsers find it. */
interface MembersSite {
  siteId: string
  root: string
}

let sites: ReaderSites
/** A site below the reader of the installation, and one at a host of its own. */
let handbook: MembersSite
let recipes: MembersSite
beforeAll(async () => {
  sites = await readerSites({ READER_FRESH: '0' })
  const first = await aMembersSite('Handbook')
  const second = await aMembersSite('Recipes')
  handbook = { ...first, root: `${sites.reader}/${first.name}` }
  recipes = { ...second, root: `http://${second.name}.docs.localhost:${new URL(sites.reader).port}` }
})
afterAll(async () => {
  await sites.stop()
  await removeData(sites.stack.dataDir)
})

async function aMembersSite(title: string): Promise<{ siteId: string; name: string }> {
  const page = (name: string, more: object = {}) => ({
    operation: 'insert_page',
    title: name,
    document: { markdown: `# ${name}\n\nWords of ${name.toLowerCase()}.\n` },
    ...more,
  })
  const forEditors = { condition: 'visitor.claims.role == "edit"' }
  const space = await aSpace(sites, title, [page('Home'), page('Guide'), page('Style', forEditors)])
  const settings = { visibility: 'visitor-auth', adaptiveContent: { enabled: true } }
  const site = await aPublishedSite(sites, { title, spaces: [space], settings })
  const path = `/orgs/${sites.organizationId}/sites/${site.siteId}/publishing/auth`
  await sendOk(sites.stack, sites.admin, { method: 'PATCH', path, body: { members: {} } })
  return site
}

const member = (role: 'read' | 'edit' | null = 'read') =>
  aMember(sites.stack, { id: sites.organizationId, admin: sites.admin }, role)

/** Opens a page of a site, and signs in at the form that it leads to; resolves to the last answer. */
async function signIn(browser: WebBrowser, url: string, person: Person): Promise<Answer & { urls: string[] }> {
  const { text } = await browser.open(url)
  return submit(browser, text, person)
}

async function submit(browser: WebBrowser, page: string, { token }: Person): Promise<Answer & { urls: string[] }> {
  const form = formsOf(page).find(({ action }) => action.endsWith('/sign-in'))
  const url = new URL(form?.action ?? '', sites.stack.url).href
  const { headers } = await browser.post(url, { ...form?.fields, token })
  return browser.open(new URL(headers.location ?? '', url).href)
}

async function sessionsOf(person: Person): Promise<string[]> {
  const list = { method: 'GET', path: '/user/sessions' }
  return (await sendOk<{ items: { id: string }[] }>(sites.stack, person, list)).items.map(({ id }) => id)
}

const opens = async (browser: WebBrowser, { root }: MembersSite) => (await browser.get(`${root}/guide`)).status === 200

const hostOf = ({ root }: MembersSite) => new URL(root).host

describe('a member', () => {
  it('signs in once, and reads two sites of two hosts', async () => {
    const browser = aWebBrowser()
    const person = await member('edit')
    const page = await browser.open(`${handbook.root}/guide?a=1`)
    expect(page.text).toContain(`Sign in to read ${hostOf(handbook)}.`)
    expect(page.text).not.toContain('Handbook')
    const { status, text, urls } = await submit(browser, page.text, person)
    expect([status, urls.at(-1), text]).toEqual([
      200,
      `${handbook.root}/guide?a=1`,
      expect.stringContaining('Words of guide.'),
    ])
    expect((await browser.get(`${handbook.root}/style`)).text).toContain('Words of style.')
    const second = await browser.open(`${recipes.root}/style`)
    expect([second.status, second.text]).toEqual([200, expect.stringContaining('Words of style.')])
    expect(second.urls.at(-1)).toBe(`${recipes.root}/style`)
    const cookie = browser.cookies(`${recipes.root}/`)['__Host-recto-session']
    expect(cookie).toMatch(/^rvs_/)
  })

  it('sees what their role opens, from the moment on at which it changes', async () => {
    const person = await member('read')
    const browser = aWebBrowser()
    await signIn(browser, `${handbook.root}/`, person)
    expect((await browser.get(`${handbook.root}/style`)).status).toBe(404)
    const path = `/orgs/${sites.organizationId}/members/${person.id}`
    await sendOk(sites.stack, sites.admin, { method: 'PATCH', path, body: { role: 'edit' } })
    expect((await browser.get(`${handbook.root}/style`)).text).toContain('Words of style.')
  })

  it('signs out at one site, and by that of all, and has to sign in again', async () => {
    const browser = aWebBrowser()
    await signIn(browser, `${handbook.root}/`, await member())
    await browser.open(`${recipes.root}/`)
    expect(await opens(browser, recipes)).toBe(true)
    const { urls, text } = await browser.open(`${handbook.root}/~recto/sign-out`)
    expect([urls.at(-1), text]).toEqual([
      `${handbook.root}/~recto/signed-out`,
      expect.stringContaining('You are signed out'),
    ])
    expect([await opens(browser, handbook), await opens(browser, recipes)]).toEqual([false, false])
    expect((await browser.open(`${recipes.root}/`)).text).toContain(`Sign in to read ${hostOf(recipes)}.`)
  })

  it('signs out at a site that knows nothing of them, is asked, and has to sign in again', async () => {
    const browser = aWebBrowser()
    const person = await member()
    await signIn(browser, `${handbook.root}/`, person)
    const page = await browser.open(`${recipes.root}/~recto/sign-out`)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Sign out?')])
    expect(await opens(browser, handbook)).toBe(true)
    const [form] = formsOf(page.text)
    const url = new URL(form?.action ?? '', sites.stack.url).href
    const { headers } = await browser.post(url, { ...form?.fields })
    expect(headers.location).toBe(`${recipes.root}/~recto/signed-out`)
    expect([await opens(browser, handbook), await sessionsOf(person)]).toEqual([false, []])
    expect((await browser.open(`${recipes.root}/`)).text).toContain(`Sign in to read ${hostOf(recipes)}.`)
  })

  it('ends a session in their list, and its sites are closed with the next page', async () => {
    const person = await member()
    const browser = aWebBrowser()
    await signIn(browser, `${handbook.root}/`, person)
    const [first] = await sessionsOf(person)
    const other = aWebBrowser()
    await signIn(other, `${handbook.root}/`, person)
    const second = (await sessionsOf(person)).find(id => id !== first)
    await sendOk(sites.stack, person, { method: 'DELETE', path: `/user/sessions/${second}` })
    expect([await opens(browser, handbook), await opens(other, handbook)]).toEqual([true, false])
  })

  it('who is removed reads nothing any more with the next page, and is told so, in no circle', async () => {
    const person = await member()
    const browser = aWebBrowser()
    const { id, admin } = await anOrganization(sites.stack)
    await admin.client.orgs.inviteUsersToOrganization(id, { emails: [{ email: person.email, role: 'read' as never }] })
    await signIn(browser, `${handbook.root}/`, person)
    expect(await opens(browser, handbook)).toBe(true)
    const path = `/orgs/${sites.organizationId}/members/${person.id}`
    await sendOk(sites.stack, sites.admin, { method: 'DELETE', path })
    expect(await opens(browser, handbook)).toBe(false)
    const { status, text } = await browser.open(`${handbook.root}/guide`)
    expect([status, text]).toEqual([403, expect.stringContaining('not open to this account')])
  })
})

describe('a page of another site', () => {
  const signedInBrowser = async () => {
    const browser = aWebBrowser()
    await signIn(browser, `${handbook.root}/`, await member())
    return browser
  }

  it.each(['~recto/sign-out', '~gitbook/auth/logout'])('signs nobody out by an image of %s', async path => {
    const browser = await signedInBrowser()
    const { status, headers } = await browser.get(`${handbook.root}/${path}`, { 'sec-fetch-dest': 'image' })
    expect([status, headers['set-cookie'], await opens(browser, handbook)]).toEqual([403, undefined, true])
  })

  it.each(['~recto/sign-out', '~gitbook/auth/logout'])('leads to %s, where a member decides', async path => {
    const browser = await signedInBrowser()
    const url = `${handbook.root}/${path}`
    const page = await browser.get(url, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Sign out?')])
    expect(await opens(browser, handbook)).toBe(true)
    const link = new URL(/href="([^"]+)"/.exec(page.text)?.[1] ?? '', url).href
    const { urls } = await browser.open(link)
    expect([urls.at(-1), await opens(browser, handbook)]).toEqual([`${handbook.root}/~recto/signed-out`, false])
  })
})

describe('somebody of another organization', () => {
  it('is told so, and signs in with another account', async () => {
    const stranger = (await anOrganization(sites.stack)).admin
    const browser = aWebBrowser()
    const { status, text } = await signIn(browser, `${recipes.root}/guide`, stranger)
    expect([status, text]).toEqual([403, expect.stringContaining('not open to this account')])
    const other = /href="([^"]+)">Use another account/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const page = await browser.open(new URL(other, sites.stack.url).href)
    const { urls } = await submit(browser, page.text, await member())
    expect(urls.at(-1)).toBe(`${recipes.root}/guide`)
  })
})

describe('an attacker', () => {
  /** Goes from a page to where a member who is signed in is sent back to, which is not opened. */
  const toCallback = (browser: WebBrowser, { root }: MembersSite) =>
    browser.until(`${root}/~recto/sign-in?location=%2F`, `${root}/~recto/sign-in/callback`)
  const aSignedInBrowser = async () => {
    const browser = aWebBrowser()
    await signIn(browser, `${handbook.root}/`, await member())
    return browser
  }

  it('uses no code twice, in no other browser, and with no other state', async () => {
    const browser = await aSignedInBrowser()
    const callback = await toCallback(browser, handbook)
    expect((await aWebBrowser().get(callback)).status).toBe(403)
    const other = new URL(await toCallback(browser, handbook))
    const mixed = new URL(callback)
    mixed.searchParams.set('state', other.searchParams.get('state') ?? '')
    expect((await browser.get(mixed.href)).status).toBe(403)
    const again = await toCallback(browser, handbook)
    expect((await browser.get(again)).status).toBe(307)
    expect((await browser.get(again)).status).toBe(403)
  })

  it('uses no code of a site at another one', async () => {
    const browser = await aSignedInBrowser()
    const own = new URL(await toCallback(browser, handbook))
    const foreign = new URL(await toCallback(browser, recipes))
    expect((await browser.get(`${recipes.root}/~recto/sign-in/callback${own.search}`)).status).toBe(403)
    foreign.searchParams.set('code', own.searchParams.get('code') ?? '')
    expect((await browser.get(foreign.href)).status).toBe(403)
  })

  it('sends nobody elsewhere', async () => {
    const browser = await aSignedInBrowser()
    const url = await browser.until(`${handbook.root}/~recto/sign-in?location=%2F`, `${sites.stack.url}/oauth/visits`)
    const changed = new URL(url)
    const sealed = changed.searchParams.get('request') ?? ''
    const parts = sealed.split('.').map(part => Buffer.from(part, 'base64url').toString('latin1'))
    expect(parts.join()).not.toContain('Handbook')
    const [header, , ...rest] = sealed.split('.')
    const forged = Buffer.from(JSON.stringify({ redirectUri: 'https://evil.example' })).toString('base64url')
    changed.searchParams.set('request', [header, forged, ...rest].join('.'))
    expect((await browser.get(changed.href)).status).toBe(400)
    for (const text of [`${url}&redirect_uri=https%3A%2F%2Fevil.example`, url])
      expect((await browser.get(text)).headers.location).toMatch(handbook.root)
  })
})

const program = findBrowser()
const itInBrowser = program === undefined ? it.skip : it

itInBrowser('A real browser signs a member in by the form, and then on the other host without one', async () => {
  const browser = await startBrowser(program ?? '')
  try {
    const faults: string[] = []
    const page = await openPage(browser, faults)
    const heading = () => page.$eval('h1', element => element.textContent?.trim())
    await page.goto(`${handbook.root}/guide`)
    expect(await heading()).toBe('Sign in')
    await page.type('#token', (await member()).token)
    await Promise.all([page.waitForNavigation(), page.click('form[action$="/sign-in"] button')])
    expect([page.url(), await heading()]).toEqual([`${handbook.root}/guide`, 'Guide'])
    await page.goto(`${recipes.root}/guide`)
    expect([page.url(), await heading()]).toEqual([`${recipes.root}/guide`, 'Guide'])
    expect(faults).toEqual([])
  } finally {
    await browser.close()
  }
})

it('No secret of a session is in a reply or a record', async () => {
  const person = await member()
  const browser = aWebBrowser()
  await signIn(browser, `${handbook.root}/`, person)
  const events = { method: 'GET', path: `/orgs/${sites.organizationId}/audit-events?limit=100` }
  const records = JSON.stringify((await sendRaw(sites.stack.url, sites.admin, events)).body)
  expect(records).toContain('session.created')
  for (const [, value] of Object.entries(browser.cookies(`${handbook.root}/`))) expect(records).not.toContain(value)
})

it('A sign-in goes on after identity was killed, and is begun again after it was killed with the code', async () => {
  const browser = aWebBrowser()
  const person = await member()
  const page = await browser.open(`${handbook.root}/guide`)
  const killed = async () => {
    const pid = sites.stack.pidOf('identity')
    process.kill(pid, 'SIGKILL')
    await eventually(() => expect(sites.stack.pidOf('identity')).not.toBe(pid))
    await eventually(async () =>
      expect((await sendRaw(sites.stack.url, person, { method: 'GET', path: '/user' })).status).toBe(200),
    )
  }
  await killed()
  expect((await submit(browser, page.text, person)).text).toContain('Words of guide.')
  const callback = await browser.until(
    `${handbook.root}/~recto/sign-in?location=%2Fguide`,
    `${handbook.root}/~recto/sign-in/callback`,
  )
  await killed()
  expect((await browser.get(callback)).status).toBe(307)
  expect((await browser.get(callback)).status).toBe(403)
  expect((await browser.open(`${handbook.root}/guide`)).text).toContain('Words of guide.')
})
