import { eventually, freePort } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findBrowser, openPage, startBrowser } from './browser.ts'
import { aPassage, type Passage } from './passage.ts'
import { sendOk } from './people.ts'
import { aPublishedSite, ask, aSpace, cookiesOf, readerSites, type Answer, type ReaderSites } from './reader-sites.ts'
import { aReaderProcess } from './reader-process.ts'
import { aVarnish, findVarnish } from './varnish.ts'

const describeAtEdge = findVarnish() ? describe : describe.skip
const token = 'a-token-of-the-edge'
const page = (title: string, text: string) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `# ${title}\n\n${text}\n` },
})

/** A site, where it is behind the edge, and its space. */
interface EdgeSite {
  siteId: string
  spaceId: string
  path: string
  url: string
}

describeAtEdge('a reader behind a Varnish that keeps pages for a day', () => {
  let sites: ReaderSites
  let edge: { url: string; stop(): Promise<void> }
  let passage: Passage

  beforeAll(async () => {
    const port = await freePort()
    const day = { READER_EDGE_AGE: '86400', READER_EDGE_STALE: '86400' }
    sites = await readerSites({ ...day, EDGE_VARNISH_URL: `http://127.0.0.1:${port}`, EDGE_VARNISH_TOKEN: token })
    passage = await aPassage(sites.reader)
    edge = await aVarnish({ port, backendPort: passage.port, token })
  })
  afterAll(async () => {
    await edge.stop()
    await passage.stop()
    await sites.stop()
  })

  const orgs = () => sites.admin.client.orgs
  const update = ({ siteId }: EdgeSite, settings: object) =>
    orgs().updateSiteById(sites.organizationId, siteId, settings as never)

  async function aSite(settings: object = {}, text = 'The first text.'): Promise<EdgeSite> {
    const spaceId = await aSpace(sites, 'Kept', [page('Kept', text)])
    const { siteId, name } = await aPublishedSite(sites, { title: 'Kept docs', spaces: [spaceId], settings })
    return { siteId, spaceId, path: `/${name}/`, url: `${edge.url}/${name}/` }
  }

  /** The requests for an address that reached the reader. */
  const reached = (path: string) => passage.paths.filter(each => each === path).length

  /** Waits until the purges that a new site causes are over, and the edge keeps its page. */
  async function untilKept({ url, path }: EdgeSite, text = 'The first text.'): Promise<Answer> {
    return eventually(async () => {
      const before = reached(path)
      const answers = [await ask(url), await ask(url), await ask(url)]
      expect(answers.map(answer => [answer.status, answer.text.includes(text)])).toEqual(answers.map(() => [200, true]))
      expect(answers.map(answer => answer.headers['cache-status'])).toEqual(answers.map(() => 'varnish; hit'))
      expect(reached(path)).toBe(before)
      return answers[0] as Answer
    })
  }

  it('is not asked for a page again, and browsers are told what they were told without the edge', async () => {
    const site = await aSite()
    const { headers, text } = await untilKept(site)
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: expect.stringContaining('Cookie'),
    })
    for (const name of ['surrogate-control', 'surrogate-key', 'cache-tag', 'cdn-cache-control', 'set-cookie'])
      expect([name, headers[name]]).toEqual([name, undefined])
    // The same policy for everybody has no nonce.
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-/)
    expect(`${headers['content-security-policy']}${text}`).not.toMatch(/'nonce-|nonce="[^"]/)
    const same = await ask(site.url, { headers: { 'if-none-match': headers.etag ?? '' } })
    expect([same.status, reached(site.path)]).toEqual([304, reached(site.path)])
  })

  it('names the site, its spaces and its organization at what the edge keeps, and refuses what it does not', async () => {
    const site = await aSite()
    const { headers } = await eventually(async () => {
      const answer = await ask(`${passage.url}${site.path}`)
      expect(answer.status).toBe(200)
      return answer
    })
    const tags = ['recto', `organization:${sites.organizationId}`, `site:${site.siteId}`, `space:${site.spaceId}`]
    expect([headers['surrogate-key'], headers['cache-tag']]).toEqual([tags.join(' '), tags.join(',')])
    const control = 'max-age=86400, stale-while-revalidate=60, stale-if-error=86400'
    expect([headers['surrogate-control'], headers['cdn-cache-control']]).toEqual([control, control])
    const lists = ['llms.txt', 'llms-full.txt', 'robots.txt', '~recto/search?q=kept', '~recto/ask', 'kept.md']
    for (const path of lists) {
      const { headers, status } = await ask(`${passage.url}${site.path}${path}`)
      const mayBeKept = status === 200 && headers['cache-control']?.startsWith('public')
      expect([path, headers['surrogate-control']]).toEqual([path, mayBeKept ? control : 'no-store'])
    }
  })

  it('shows a merge within a second, while everybody reads', async () => {
    const site = await aSite()
    await untilKept(site)
    const { spaces } = sites.admin.client
    const changeRequest = (await spaces.createChangeRequest(site.spaceId, { subject: 'News' } as never)).data
    await sendOk(sites.stack, sites.admin, {
      method: 'POST',
      path: `/spaces/${site.spaceId}/change-requests/${changeRequest.id}/content`,
      body: { changes: [page('News', 'News of today.')] },
    })
    const reading = { ends: false }
    const readers = Array.from({ length: 4 }, async () => {
      while (!reading.ends) await ask(site.url)
    })
    await spaces.mergeChangeRequest(site.spaceId, changeRequest.id)
    const merged = performance.now()
    await eventually(async () => expect((await ask(site.url)).text).toContain('News'))
    const delay = performance.now() - merged
    reading.ends = true
    await Promise.all(readers)
    console.warn(`a merge showed behind the edge ${Math.round(delay)} ms after its answer`)
    await untilKept(site, 'News')
  })

  const closings: [string, (site: EdgeSite) => Promise<unknown>][] = [
    ['unpublished', ({ siteId }) => orgs().unpublishSite(sites.organizationId, siteId)],
    ['deleted', ({ siteId }) => orgs().deleteSiteById(sites.organizationId, siteId)],
    ['shared by links', site => update(site, { visibility: 'share-link' })],
    ['for visitors who sign in', site => update(site, { visibility: 'visitor-auth' })],
  ]

  it.each(closings)('shows nothing of a site that is %s', async (_how, close) => {
    const site = await aSite()
    await untilKept(site)
    const paths = ['', 'kept.md', 'llms.txt', 'llms-full.txt', 'robots.txt', '~recto/search?q=kept']
    const urls = paths.map(path => `${site.url}${path}`)
    for (const url of urls) await ask(url)
    await close(site)
    await eventually(async () => {
      const answers = await Promise.all(urls.map(url => ask(url)))
      expect(answers.filter(({ status }) => ![403, 404].includes(status)).map(({ status }) => status)).toEqual([])
    })
  })

  it('takes a revoked link and a removed space to the edge, too', async () => {
    const site = await aSite()
    await untilKept(site)
    const link = await orgs().createSiteShareLink(sites.organizationId, site.siteId, { name: 'Friends' })
    const other = await aSpace(sites, 'Other', [page('Other', 'Of another space.')])
    await orgs().addSpaceToSite(sites.organizationId, site.siteId, { spaceId: other })
    const { items } = (await orgs().listSiteSpaces(sites.organizationId, site.siteId)).data
    const added = items.find(({ space }) => space.id === other)
    const url = `${site.url}${added?.path}`
    await eventually(async () => expect((await ask(url)).text).toContain('Of another space.'))
    await orgs().updateSiteShareLinkById(sites.organizationId, site.siteId, link.data.id, { active: false })
    await orgs().deleteSiteSpaceById(sites.organizationId, site.siteId, added?.id ?? '')
    await eventually(async () => expect((await ask(url)).text).not.toContain('Of another space.'))
  })

  it('neither gives a visitor who is known what others see, nor others what that one sees', async () => {
    const { closed } = sites
    const url = `${edge.url}/${closed.name}/`
    closed.login.claims = { beta: true }
    // The login server leads to the reader itself; its cookies are of a host, whatever the port.
    const { headers } = await ask(`${sites.reader}/${closed.name}/`)
    const login = await ask(headers.location ?? '')
    const cookie = await cookiesOf(login.headers.location ?? '')
    const visitor = await ask(url, { headers: { cookie } })
    expect([visitor.status, visitor.text.includes('The beta is open.')]).toEqual([200, true])
    for (let turn = 0; turn < 3; turn += 1) {
      const stranger = await ask(url)
      expect([stranger.status, stranger.text.includes('For visitors.')]).toEqual([307, false])
      expect((await ask(url, { headers: { cookie } })).text).toContain('The beta is open.')
    }
  })

  it('answers by itself whoever has a cookie of the reader, on a site for everybody, too', async () => {
    const site = await aSite()
    await untilKept(site)
    const before = reached(site.path)
    for (const cookie of ['recto-visitor=none', 'a=b; __Host-recto-session=none', 'recto-claims={}']) {
      const { headers } = await ask(site.url, { headers: { cookie } })
      expect([cookie, headers['cache-status']]).toEqual([cookie, 'varnish; fwd=miss'])
    }
    expect(reached(site.path)).toBe(before + 3)
    await untilKept(site)
  })

  it('is not made to keep another site, another form or another scheme at an address', async () => {
    const site = await aSite()
    const other = await aSite({}, 'Of another site.')
    await untilKept(other, 'Of another site.')
    const path = `${site.path}?new`
    const host = `${other.path.replaceAll('/', '')}.docs.localhost`
    const foreign = [
      { 'x-forwarded-host': host },
      { accept: 'text/markdown' },
      { 'x-forwarded-proto': 'https' },
      { authorization: 'Bearer none' },
    ]
    for (const headers of foreign) await ask(`${edge.url}${path}`, { headers })
    const { text, headers } = await ask(`${edge.url}${path}`)
    expect(text).toContain('The first text.')
    expect(headers['content-type']).toMatch(/^text\/html/)
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
    // Without the rules of Varnish the reader still refuses that an edge keeps it.
    for (const headers of foreign.filter(each => !('x-forwarded-proto' in each))) {
      const answer = await ask(`${passage.url}${path}`, { headers })
      expect(['no-store', undefined]).toContain(answer.headers['surrogate-control'])
    }
  })

  it('drops nothing for who does not know the token', async () => {
    const site = await aSite()
    await untilKept(site)
    for (const authorization of ['', 'Bearer none', `Bearer ${token}x`]) {
      const headers = { authorization, 'surrogate-key': `site:${site.siteId}` }
      expect((await ask(edge.url, { method: 'BAN', headers })).status).toBe(401)
    }
    const headers = { authorization: `Bearer ${token}` }
    for (const tags of ['', '.*', 'a" || obj.status == 200', 'a)|(b'])
      expect((await ask(edge.url, { method: 'BAN', headers: { ...headers, 'surrogate-key': tags } })).status).toBe(400)
    await untilKept(site)
  })

  it('runs its scripts and shows its styles in a browser', async () => {
    const browserProgram = findBrowser()
    if (browserProgram === undefined)
      return void console.warn('There is no Chromium: the policy of an edge was not tried in a browser')
    const site = await aSite()
    await untilKept(site)
    const faults: string[] = []
    const browser = await startBrowser(browserProgram)
    try {
      const tab = await openPage(browser, faults)
      await tab.goto(site.url, { waitUntil: 'networkidle0' })
      expect(await tab.$eval('html', element => element.classList.contains('scripted'))).toBe(true)
      expect(await tab.$eval('head > style', element => (element as HTMLStyleElement).sheet?.cssRules.length)).not.toBe(
        0,
      )
      expect(faults).toEqual([])
    } finally {
      await browser.close()
    }
  })

  it('goes on showing what is older than its age when the reader is killed, and nothing of what was closed', async () => {
    const backendPort = await freePort()
    const settings = { READER_EDGE_AGE: '1', READER_EDGE_STALE: '86400' }
    const reader = await aReaderProcess(sites.stack, { port: backendPort, settings })
    const old = await aVarnish({ port: await freePort(), backendPort, token })
    try {
      const site = await aSite()
      const url = `${old.url}${site.path}`
      await eventually(async () => expect((await ask(url)).text).toContain('The first text.'))
      await reader.kill()
      // Older than its age.
      await eventually(async () => expect(Number((await ask(url)).headers.age)).toBeGreaterThan(2))
      const answer = await ask(url)
      expect([answer.status, answer.text.includes('The first text.')]).toEqual([200, true])
      const headers = { authorization: `Bearer ${token}`, 'surrogate-key': `a:b site:${site.siteId}` }
      expect((await ask(old.url, { method: 'BAN', headers })).status).toBe(200)
      expect((await ask(url)).status).toBe(503)
    } finally {
      await old.stop()
      await reader.stop()
    }
  })
})
