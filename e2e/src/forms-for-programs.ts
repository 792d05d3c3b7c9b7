import { eventually } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import { sendOk } from './people.ts'
import { ask, type ReaderSites } from './reader-sites.ts'

/** Tests the forms of a published site that programs read: Markdown, lists for agents, sitemaps and feeds. */
export function formsForPrograms(sites: () => ReaderSites): void {
  const at = (path: string) => `${sites().reader}/${sites().docs.name}/${path}`
  describe('a published site for programs', () => {
    for (const part of [lists, changes, negotiation, counting]) part({ sites, at })
  })
}

interface Place {
  sites: () => ReaderSites
  /** An address of the site. */
  at: (path: string) => string
}

/** Lists of pages. */
function lists({ sites, at }: Place): void {
  it('has feeds, lists and Markdown for programs, without hidden pages', async () => {
    const read = async (name: string) => (await ask(at(name))).text
    const published = `https://${sites().docs.name}.docs.localhost`
    expect(await read('robots.txt')).toContain(`Sitemap: ${published}/sitemap.xml`)
    const index = await read('sitemap.xml')
    const sitemaps = ['', 'old/', 'api/'].map(path => `${path}sitemap-pages.xml`)
    for (const sitemap of sitemaps) expect(index).toContain(`<loc>${published}/${sitemap}</loc>`)
    const sitemap = (await Promise.all(sitemaps.map(read))).join('\n')
    for (const path of ['', 'installation', 'old/installation', 'api'])
      expect(sitemap).toContain(`${published}/${path}<`)
    const root = `${sites().reader}/${sites().docs.name}/`
    const list = await read('llms.txt')
    for (const line of [
      `- [Installation](${root}installation.md)`,
      `](${root}api/overview.md)`,
      `](${root}old/llms.txt)`,
    ])
      expect(list).toContain(line)
    expect(await read('api/llms.txt')).not.toContain('[Installation]')
    expect(await read('llms-full.txt')).toMatch(/# Welcome[^]*# Installation[^]*zebracorn[^]*# Overview/)
    expect((await ask(at('llms-full.txt/2'))).status).toBe(404)
    expect(await read('rss.xml')).toContain('<title><![CDATA[Installation]]></title>')
    for (const name of ['sitemap-pages.xml', 'llms.txt', 'llms-full.txt', 'rss.xml'])
      expect(await read(name)).not.toContain('Hidden page')
  })
}

/** The pages that changed last. */
function changes({ sites, at }: Place): void {
  it('lists what changed last in all its sections, as a page, as Markdown and as a feed', async () => {
    const html = await ask(at('~/changes'))
    expect([html.status, html.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html.text).toContain(`href="/${sites().docs.name}/rss.xml"`)
    for (const title of ['Installation', 'Overview']) expect(html.text).toContain(`<strong>${title}</strong>`)
    expect(html.text).not.toContain('Hidden page')
    const markdown = await ask(at('~/changes'), { headers: { accept: 'text/markdown' } })
    expect(markdown.text).toMatch(/## 20[^]*- \[Installation\]\(https:[^)]*\/installation\), 20[^,]*, revision `\w+`/)
    expect((await ask(at('rss.xml'))).text).toContain('<title><![CDATA[Overview]]></title>')
    expect((await ask(at('api/~/changes'))).text).not.toContain('<strong>Installation</strong>')
  })
}

/** Markdown by negotiation. */
function negotiation({ sites, at }: Place): void {
  it('answers its pages as Markdown to who prefers it, and leads from each form to the other', async () => {
    const page = at('installation')
    const published = `https://${sites().docs.name}.docs.localhost/installation`
    const html = await ask(page)
    expect(html.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      vary: expect.stringContaining('Accept'),
      link: `</${sites().docs.name}/installation.md>; rel="alternate"; type="text/markdown"`,
    })
    const markdown = await ask(`${page}.md`)
    expect(markdown.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      link: `<${published}>; rel="canonical"`,
    })
    expect(markdown.text).toMatch(
      new RegExp(`^# Installation\\n\\n> Source: <${published}>, revision \`\\w+\`, changed 20[^\\n]*\\n\\n`),
    )
    const accepting = (accept: string, path = page) => ask(path, { headers: { accept } })
    for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.9', 'text/html;q=0.5, text/*'])
      expect([accept, (await accepting(accept)).text]).toEqual([accept, markdown.text])
    for (const accept of ['*/*', 'text/html, text/markdown', 'text/html', 'image/png'])
      expect([accept, (await accepting(accept)).headers['content-type']]).toEqual([accept, 'text/html; charset=utf-8'])
    const missing = await accepting('text/markdown', at('nothing-here'))
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/markdown; charset=utf-8'])
    const etag = String(markdown.headers['etag'])
    expect((await ask(`${page}.md`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
}

/** The numbers of requests of programs. */
function counting({ sites, at }: Place): void {
  it('counts the requests of programs by list, source and page, and nothing of who sends them', async () => {
    const { stack, admin, organizationId, docs } = sites()
    const counted = async (column: string) => {
      const body = { range: 'last24Hours', groupBy: [{ column }] }
      const path = `/orgs/${organizationId}/sites/${docs.siteId}/insights/events/aggregate`
      const { columns } = await sendOk<{ columns: { values: unknown[] }[] }>(stack, admin, {
        method: 'POST',
        path,
        body,
      })
      return columns[0]?.values
    }
    for (const path of ['llms.txt', 'llms-full.txt', 'rss.xml', 'installation.md']) await ask(at(path))
    await ask(at('installation.md'), { headers: { 'sec-fetch-site': 'same-origin' } })
    await eventually(async () => {
      expect(await counted('eventType')).toEqual(
        expect.arrayContaining(['llms_request', 'rss_request', 'page_markdown_request']),
      )
      expect(await counted('eventLLMSVariant')).toEqual(expect.arrayContaining(['standard', 'full']))
      expect(await counted('eventMarkdownSource')).toContain('page-action')
    })
  })
}

/** Tests the feeds of pages with updates. */
export function feedsOfUpdates(sites: () => ReaderSites): void {
  const at = (path: string) => `${sites().reader}/${sites().docs.name}/${path}`

  it('has a feed for the updates of a page, without what a condition hides, and none for a page without', async () => {
    const path = `${sites().docs.name}/reference/options`
    const { status, headers, text } = await ask(at('reference/options/rss.xml'))
    expect([status, headers['content-type']]).toEqual([200, 'application/rss+xml; charset=utf-8'])
    expect([...text.matchAll(/<item>\s*<title><!\[CDATA\[(.*?)]]>/g)].map(([, title]) => title)).toEqual([
      'Two ports',
      'Older tokens end',
    ])
    expect(text).toContain('/reference/options#update-2026-04-22</link>')
    expect(text).toContain('There is a second port & more.')
    expect(text).not.toContain('Not for everybody')
    const link = `<link rel="alternate" type="application/rss+xml" href="/${path}/rss.xml" title="Options"/>`
    expect((await ask(at('reference/options'))).text).toContain(link)
    expect((await ask(at('installation/rss.xml'))).status).toBe(404)
  })
}
