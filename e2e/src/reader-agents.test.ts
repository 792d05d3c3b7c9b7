import { aChatEngine, eventually, type ChatEngine } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mcpOfAuthors } from './mcp-of-authors.ts'
import { mcpOfSites } from './mcp-of-sites.ts'
import { mcpMessage, postMcp } from './mcp-client.ts'
import { sendRaw } from './people.ts'
import { questionsToSites } from './questions-to-sites.ts'
import { aPublishedSite, aSpace, ask, readerSites, type ReaderSites } from './reader-sites.ts'

/** Pages that nobody has read before. */
const unread = ['one', 'two', 'three']

let sites: ReaderSites
let engine: ChatEngine
let site: { siteId: string; name: string }
let page: { spaceId: string; pageId: string }

beforeAll(async () => {
  engine = await aChatEngine()
  sites = await readerSites({
    ASK_ENGINE_URL: engine.url,
    ASK_ENGINE_MODEL: 'a-model',
    READER_ASK_RATE: '1000',
  })
  const changes = [
    { operation: 'insert_page', title: 'Home', document: { markdown: '# Home\n\nBegin here.\n' } },
    { operation: 'insert_page', title: 'Guide', document: { markdown: '# Guide\n\nFor people.\n' } },
    ...unread.map(title => ({ operation: 'insert_page', title, document: { markdown: `# ${title}\n` } })),
  ]
  const spaceId = await aSpace(sites, 'For people', changes)
  const { pages } = (await sites.admin.client.spaces.listPages(spaceId)).data
  page = { spaceId, pageId: pages.find(({ title }) => title === 'Guide')?.id ?? '' }
  site = await aPublishedSite(sites, { title: 'For people', spaces: [spaceId] })
})

afterAll(async () => {
  await sites.stop()
  await engine.stop()
})

const orgs = () => sites.admin.client.orgs
const at = (path: string) => `${sites.reader}/${site.name}/${path}`
const agents = [
  'GPTBot/1.2',
  'Mozilla/5.0 (compatible; ClaudeBot/1.0)',
  'Mozilla/5.0; Perplexity-User/1.0',
  'CCBot/2.0',
]
const others = ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0']
const agent = agents[0] ?? ''
const person = others[1] ?? ''
const read = (path: string, userAgent: string, headers: Record<string, string> = {}) =>
  ask(at(path), { headers: { 'user-agent': userAgent, ...headers } })

type Agents = 'included' | 'excluded'

/** Sets it, and waits until the reader has seen it. */
async function setAgents(agentsContext: Agents): Promise<void> {
  await orgs().updateSiteById(sites.organizationId, site.siteId, { agentsContext: agentsContext as never })
  await eventually(async () =>
    expect((await read('llms.txt', person)).status).toBe(agentsContext === 'excluded' ? 404 : 200),
  )
}

async function lookUp(): Promise<string> {
  const sending = { method: 'POST', path: '/urls/published', body: { url: `https://${site.name}.docs.localhost/` } }
  const { body } = await sendRaw(sites.stack.url, undefined, sending)
  return (body as { apiToken: string }).apiToken
}

/** The status of a page in the API, by its format, with the token of a visitor; and whether it has a text. */
async function apiPage(format: string): Promise<{ status: number; hasMarkdown: boolean }> {
  const { revision } = (await sites.admin.client.spaces.getSpaceById(page.spaceId)).data
  const path = `/spaces/${page.spaceId}/revisions/${revision}/page/${page.pageId}${format && `?format=${format}`}`
  const { status, body } = await sendRaw(sites.stack.url, { token: await lookUp() }, { method: 'GET', path })
  return { status, hasMarkdown: (body as { markdown?: string }).markdown !== undefined }
}

const forAgents = ['llms.txt', 'llms-full.txt', 'guide.md', 'home.md']
const forAll = ['', 'guide', 'sitemap.xml', 'rss.xml', '~recto/search?q=people', '~recto/search.json?q=people']
const offers = /text\/markdown|\.md["<]|View as Markdown/

mcpOfSites(() => sites)
mcpOfAuthors(() => sites)
questionsToSites({ sitesOf: () => sites, engineOf: () => engine })

describe('a site of which agents are included', () => {
  beforeEach(() => setAgents('included'))

  it.each([...agents, ...others])('shows all of it to %s', async userAgent => {
    for (const path of [...forAll, ...forAgents, 'robots.txt'])
      expect([path, (await read(path, userAgent)).status]).toEqual([path, 200])
  })

  it('names no agent in robots.txt, offers its Markdown, and may be kept by caches', async () => {
    expect((await read('robots.txt', person)).text).toMatch(/^User-agent: \*\n/)
    const { text, headers } = await read('guide', person)
    expect(text).toMatch(offers)
    expect(headers['cache-control']).toMatch(/^public/)
  })

  it.each(['', 'markdown'])('has Markdown for visitors in the API in the format "%s"', async format =>
    expect(await apiPage(format)).toEqual({ status: 200, hasMarkdown: true }),
  )
})

describe('a site that excludes agents', () => {
  beforeEach(() => setAgents('excluded'))

  it.each(agents)('tells %s so at every address but robots.txt', async userAgent => {
    const nowhere = [
      'nothing',
      '~recto/files/none/none.png',
      `~recto/page/${page.pageId}`,
      'Guide',
      '?visitor.beta=true',
    ]
    for (const path of [...forAll, ...forAgents, ...nowhere]) {
      // The reader asks for each address by itself, so one may show the site as it was when others do not.
      await eventually(async () => {
        const { status, text, headers } = await read(path, userAgent)
        expect([path, status, text]).toEqual([path, 403, 'This site excludes AI agents.\n'])
        expect([headers['content-type'], headers['cache-control']]).toEqual(['text/plain; charset=utf-8', 'no-store'])
      })
    }
    for (const method of ['HEAD', 'POST'])
      expect((await ask(at(''), { method, headers: { 'user-agent': userAgent } })).status).toBe(403)
    expect((await read('robots.txt', userAgent)).status).toBe(200)
  })

  it('tells so an agent that has a page already, and lets no cache on the way answer in its place', async () => {
    const { headers } = await read('guide', person)
    expect(headers['cache-control']).toBe('private, no-cache')
    expect((await read('guide', agent, { 'if-none-match': headers.etag ?? '' })).status).toBe(403)
    expect((await read('guide', person, { 'if-none-match': headers.etag ?? '' })).status).toBe(304)
  })

  it.each(others)('shows its pages, lists and search to %s', async userAgent => {
    for (const path of [...forAll, 'robots.txt'])
      expect([path, (await read(path, userAgent)).status]).toEqual([path, 200])
  })

  it('has no MCP server for anybody', async () => {
    for (const path of ['mcp', '~gitbook/mcp'])
      for (const [userAgent, status] of [[agent, 403] as const, ...others.map(name => [name, 404] as const)]) {
        const { status: answered, text } = await postMcp(at(path), mcpMessage('tools/list'), {
          'user-agent': userAgent,
        })
        expect([path, answered, JSON.parse(text)]).toMatchObject([path, status, { error: {} }])
      }
  })

  it.each(forAgents)('has no %s for anybody', async path => {
    for (const userAgent of others) expect((await read(path, userAgent)).status).toBe(404)
  })

  it('leads to no Markdown, whatever its customization says', async () => {
    const settings = (await orgs().getSiteCustomizationById(sites.organizationId, site.siteId)).data
    const pageActions = { externalAI: true, markdown: true, mcp: true }
    const changed = { ...settings, pageActions, ai: { mode: 'assistant' } } as never
    await orgs().updateSiteCustomizationById(sites.organizationId, site.siteId, changed)
    const { text } = await read('guide', person)
    expect(text).toContain('For people.')
    expect(text).not.toMatch(offers)
  })

  it('names the agents in robots.txt, and leaves search engines as they are', async () => {
    const { text } = await read('robots.txt', person)
    const [excluded = '', rest = ''] = text.split('\n\n')
    for (const name of ['GPTBot', 'ClaudeBot', 'Google-Extended', 'PerplexityBot', 'CCBot'])
      expect(excluded.split('\n')).toContain(`User-agent: ${name}`)
    expect(excluded.endsWith('\nDisallow: /')).toBe(true)
    expect(rest).toMatch(
      /^User-agent: \*\nContent-Signal: search=yes, ai-input=no, ai-train=no\nDisallow: \/\*~recto\/search\nDisallow: \/\*~recto\/ask\nSitemap: /,
    )
    expect(text).not.toMatch(/Googlebot|bingbot/i)
  })

  it.each([
    ['', 200],
    ['markdown', 404],
    ['document', 200],
  ])('has no Markdown for visitors in the API in the format "%s": %i', async (format, status) =>
    expect(await apiPage(format)).toEqual({ status, hasMarkdown: false }),
  )
})

it('people read on while agents are excluded: a change of the site is no error to anybody', async () => {
  for (const path of unread) {
    await setAgents('included')
    expect((await read('guide', person)).status).toBe(200)
    await orgs().updateSiteById(sites.organizationId, site.siteId, { agentsContext: 'excluded' as never })
    expect([path, (await read(path, person)).status]).toEqual([path, 200])
  }
})
