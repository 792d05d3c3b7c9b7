import { describe, expect, it } from '@jest/globals'
import { ask, type ReaderSites } from './reader-sites.ts'

/** Tests the forms of a published site that programs read: Markdown, lists for agents, sitemaps and feeds. */
export function formsForPrograms(sites: () => ReaderSites): void {
  const at = (path: string) => `${sites().reader}/${sites().docs.name}/${path}`

  describe('a published site for programs', () => {
    it('has feeds, lists and Markdown for programs, without hidden pages', async () => {
      const read = async (name: string) => (await ask(at(name))).text
      const published = `https://${sites().docs.name}.docs.localhost`
      expect(await read('robots.txt')).toContain(`Sitemap: ${published}/sitemap.xml`)
      const index = await read('sitemap.xml')
      const sitemaps = ['', 'old/', 'api/'].map(path => `${path}sitemap-pages.xml`)
      for (const sitemap of sitemaps) expect(index).toContain(`<loc>${published}/${sitemap}</loc>`)
      const sitemap = (await Promise.all(sitemaps.map(read))).join('\n')
      for (const path of ['', 'installation', 'old/installation', 'api/'])
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
        expect([accept, (await accepting(accept)).headers['content-type']]).toEqual([
          accept,
          'text/html; charset=utf-8',
        ])
      const missing = await accepting('text/markdown', at('nothing-here'))
      expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/markdown; charset=utf-8'])
      const etag = String(markdown.headers['etag'])
      expect((await ask(`${page}.md`, { headers: { 'if-none-match': etag } })).status).toBe(304)
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
