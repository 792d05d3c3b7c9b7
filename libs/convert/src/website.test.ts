import { describe, expect, it } from '@jest/globals'
import type { ConvertedPage } from './model.ts'
import { aWeb, pixel, type Resource } from './test/tools.ts'
import { convertWebsite } from './website.ts'

const site = 'https://x.example'
const page = (title: string, body = '', head = '') => `<head>${head}</head><main><h1>${title}</h1>${body}</main>`
const outline = (pages: ConvertedPage[]): unknown[] =>
  pages.map(({ title, pages: below }) => (below.length > 0 ? [title, outline(below)] : title))
const at = (paths: Record<string, Resource>) =>
  Object.fromEntries(Object.entries(paths).map(([path, resource]) => [`${site}${path}`, resource]))

describe('a website', () => {
  it('is imported below its start, with links and images inside it', async () => {
    const { tools, requests } = aWeb(
      at({
        '/docs/': page(
          'Docs',
          '<a href="guide/">g</a><a href="/blog/">b</a><a href="https://y.example/docs/">y</a><img src="/logo.png">',
        ),
        '/docs/guide/': page('Guide', '<a href="/docs/guide/use?utm=1#part">use</a> <a href="../">up</a>'),
        '/docs/guide/use': page('Use', '<a href="/docs/guide/use">self</a>'),
        '/docs/deep/er/page.html': page('Deeper'),
        '/docs/sitemap.xml': `<urlset><url><loc>${site}/docs/deep/er/page.html</loc></url><url><loc>${site}/blog/x</loc></url></urlset>`,
        '/logo.png': pixel,
      }),
    )
    const set = await convertWebsite(`${site}/docs/`, tools)
    expect(outline(set.pages)).toEqual(['Docs', ['Guide', ['Use']], ['Deep', [['Er', ['Deeper']]]]])
    expect(set.pages[0]).toMatchObject({ file: 'README.md' })
    expect(set.pages[0]?.markdown).toContain('[g](guide/README.md)[b](https://x.example/blog/)')
    expect(set.pages[0]?.markdown).toContain('![](.gitbook/assets/logo.png)')
    expect(set.pages[1]?.markdown).toContain('[use](use.md#part) [up](../README.md)')
    expect(set).toMatchObject({ total: 5, imported: 5, warnings: [] })
    expect(requests.filter(url => url.includes('/blog') || url.includes('y.example'))).toEqual([])
    expect(new Set(requests).size).toBe(requests.length - 1)
  })

  it('is asked only for what its robots.txt allows', async () => {
    const { tools, requests } = aWeb(
      at({
        '/robots.txt': 'User-agent: *\nDisallow: /private/\n\nUser-agent: RectoImport\nDisallow: /docs/secret',
        '/docs/': page('Docs', '<a href="secret">s</a><a href="open">o</a>'),
        '/docs/secret': page('Secret'),
        '/docs/open': page('Open'),
      }),
    )
    const set = await convertWebsite(`${site}/docs/`, tools)
    expect(outline(set.pages)).toEqual(['Docs', 'Open'])
    expect(requests).not.toContain(`${site}/docs/secret`)
    expect(set.warnings).toMatchObject([{ path: `${site}/docs/secret` }])
    expect(set).toMatchObject({ total: 3, imported: 2 })
  })

  it('has a page once, however many addresses it has', async () => {
    const canonical = `<link rel="canonical" href="${site}/one">`
    const { tools } = aWeb(
      at({
        '/': page(
          'Home',
          '<a href="one">1</a><a href="uno">u</a><a href="eins">e</a><a href="one?a=1">q</a><a href="one/">/</a>',
        ),
        '/one': page('One', '', canonical),
        '/uno': page('One', '', canonical),
        '/eins': { redirect: `${site}/one` },
      }),
    )
    const set = await convertWebsite(`${site}/`, tools)
    expect(outline(set.pages)).toEqual(['Home', 'One'])
    expect(set.pages[0]?.markdown).toBe('# Home\n\n[1](one.md)[u](one.md)[e](one.md)[q](one.md)[/](one.md)\n')
    expect(set).toMatchObject({ total: 2, imported: 2 })
  })

  it('without end is imported up to the limit, which is a warning', async () => {
    const endless = aWeb({}, { maxFiles: 20 })
    const fetch = async (url: string) => {
      const { pathname } = new URL(url)
      const isPage = pathname.startsWith('/docs')
      const body = page(pathname, `<a href="${pathname}a">next</a><a href="${pathname}b">other</a>`)
      return { status: isPage ? 200 : 404, url, contentType: 'text/html', bytes: Buffer.from(body) }
    }
    const set = await convertWebsite(`${site}/docs/`, { ...endless.tools, fetch })
    expect(set.imported).toBe(20)
    expect(set.warnings.some(({ message }) => message.includes('at most 20'))).toBe(true)
  })

  it.each([
    [
      'robots.txt that leads in circles',
      { '/robots.txt': { redirect: `${site}/robots.txt` }, '/': page('Home') },
      'Home',
    ],
    ['pages that lead in circles', { '/': page('Home', '<a href="a">a</a>'), '/a': { redirect: `${site}/a` } }, 'Home'],
    ['pages that are missing', { '/': page('Home', '<a href="a">a</a>') }, 'Home'],
    ['a broken sitemap', { '/': page('Home'), '/sitemap.xml': '<urlset><url><loc>' }, 'Home'],
    [
      'a sitemap with entities that expand',
      {
        '/': page('Home'),
        '/sitemap.xml':
          '<!DOCTYPE x [<!ENTITY a "bbbb"><!ENTITY c "&a;&a;">]><urlset><url><loc>&c;</loc></url></urlset>',
      },
      'Home',
    ],
  ] as [string, Record<string, Resource>, string][])('with %s is imported', async (_what, paths, title) =>
    expect(outline((await convertWebsite(`${site}/`, aWeb(at(paths)).tools)).pages)).toEqual([title]),
  )

  it.each([
    ['that forbids its start', { '/robots.txt': 'User-agent: *\nDisallow: /', '/': page('Home') }, 'robots.txt'],
    ['whose robots.txt fails', { '/robots.txt': { status: 503 }, '/': page('Home') }, 'robots.txt'],
    ['that is not there', {}, 'answered 404'],
    ['that is no page', { '/': { body: '{}', type: 'application/json' } }, 'No page'],
  ] as [string, Record<string, Resource>, string][])('%s is refused', (_what, paths, message) =>
    expect(convertWebsite(`${site}/`, aWeb(at(paths)).tools)).rejects.toThrow(message),
  )
})
