import { describe, expect, it } from '@jest/globals'
import { parsePage } from './html-tree.ts'
import { isServerPath, OutputPaths, relativeUrl } from './output-paths.rules.ts'
import { redirectPage } from './redirect-page.rules.ts'
import { addressesIn, rewriteCss, rewritePage } from './rewrite-page.rules.ts'

describe('the files of an export', () => {
  it.each([
    ['the root', '', true, 'index.html'],
    ['a page', 'guide/set-up', true, 'guide/set-up.html'],
    ['a file', '~recto/files/a/b.png', false, '_recto/files/a/b.png'],
    ['a path that leads out', '..%2f../%2e%2e/a', true, '_._../_/a.html'],
    ['characters that some systems refuse', 'a%3ab%0ac', true, 'a_b_c.html'],
    ['a hidden name', '.htaccess', false, '_htaccess'],
  ])('%s', (_title, path, isPage, file) => {
    const name = new OutputPaths().pathOf(path, { isPage })
    expect(name.split('/')).not.toContain('..')
    expect(name).toBe(file)
  })

  it('Two addresses never share a file, whatever their case', () => {
    const paths = new OutputPaths()
    const names = ['a', 'A', 'a%3a', 'a%2a'].map(path => paths.pathOf(path, { isPage: true }).toLowerCase())
    expect(new Set(names).size).toBe(names.length)
    expect(paths.pathOf('a', { isPage: true })).toBe('a.html')
  })

  it.each([
    ['~recto/search', true],
    ['en/~recto/search.json', true],
    ['guide.md', true],
    ['rss.xml', true],
    ['guide', false],
    ['~recto/files/x/guide.pdf', false],
  ])('%s needs a server: %s', (path, isLeftOut) => expect(isServerPath(path)).toBe(isLeftOut))

  it('Addresses are relative and encoded', () =>
    expect(relativeUrl('a/b.html', 'c d#/e.html')).toBe('../c%20d%23/e.html'))
})

it('A page that leads to another one has its address as text of HTML', () => {
  const page = redirectPage("../a'%26.html", 'A <b> & "c"')
  expect(page).toContain('content="0; url=../a%27%26.html"')
  expect(page).toContain('<link rel="canonical" href="../a%27%26.html">')
  expect(page).not.toContain('<b>')
})

describe('a page of an export', () => {
  const addresses = {
    rewrite: (url: string) => (url.endsWith('.md') ? undefined : `new-${url}`),
    script: (url: string) => `script-${url}`,
    added: ['search.js'],
  }
  it.each([
    ['a link', '<a href="x">t</a>', '<a href="new-x">t</a>'],
    ['a link that needs a server', 'a<a href="x.md">t</a>b', 'ab'],
    ['images of a set', '<img src="a" srcset="b 2x, c 3x">', '<img src="new-a" srcset="new-b 2x, new-c 3x">'],
    ['a style', '<p style="background: url(a)">t</p>', '<p style="background: url(&quot;new-a&quot;)">t</p>'],
    [
      'a module',
      '<script type="module" nonce="n" src="r.js"></script>',
      '<script defer="" src="script-r.js"></script>',
    ],
    [
      'the search',
      '<form action="/s"><input data-search="true"></form>',
      '<form><input data-exported-search=""></form>',
    ],
    ['text', '&lt;script&gt; &amp;', '&lt;script&gt; &amp;'],
  ])('%s', (_title, html, result) => {
    const page = rewritePage(parsePage(`<!doctype html><html><head></head><body>${html}</body></html>`), addresses)
    expect(page).toContain(result)
    expect(page).toContain('<script defer="" src="search.js"></script></head>')
  })

  it('The addresses of a page are those of all of its elements', () =>
    expect(
      addressesIn('<a href="a"></a><img srcset="b 1x"><style>i{background:url("c")}</style><script src="d"></script>'),
    ).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd'])))

  it('Style sheets keep data', () => expect(rewriteCss('a{b:url(data:x)}', () => 'y')).toBe('a{b:url(data:x)}'))
})
