import { describe, expect, it } from '@jest/globals'
import { ConvertFailure } from './convert-failure.ts'
import { convertHtmlUrl, convertMarkdownUrl } from './single-page.ts'
import { htmlToMarkdown, rewriteMarkdown } from './tasks.ts'
import { aWeb, pixel } from './test/tools.ts'

const context = { base: 'http://archive.invalid/guide/a.md', file: 'guide/a.md', targets: {} }

describe('the links of a Markdown file', () => {
  const targets = {
    'archive.invalid/guide/b.html': 'guide/b.md',
    'archive.invalid/img/a b.png': 'img/a b.png',
    'archive.invalid/guide/c.md': 'guide/c.md',
  }
  it.each([
    ['[b](b.html#part)', '[b](b.md#part)'],
    ['[b](/guide/b.html "title")', '[b](b.md "title")'],
    ['[b [x]](b.html)', '[b [x]](b.md)'],
    ['![pic](../img/a%20b.png)', '![pic](../img/a%20b.png)'],
    ['![pic](</img/a b.png>)', '![pic](<../img/a%20b.png>)'],
    ['[c](c.md)', '[c](c.md)'],
    ['[c](./c.md?x=1)', '[c](./c.md?x=1)'],
    ['[gone](gone.md)', '[gone](gone.md)'],
    ['[out](https://x.example/a?b#c)', '[out](https://x.example/a?b#c)'],
    ['[here](#part)', '[here](#part)'],
    ['[run](javascript:alert(1))', '[run]()'],
    ['[b]: b.html\n', '[b]: b.md\n'],
    ['<img src="/img/a%20b.png">', '<img src="../img/a%20b.png">'],
    ['{% content-ref url="b.html" %}', '{% content-ref url="b.md" %}'],
    ['`[b](b.html)`', '`[b](b.html)`'],
    ['| a |\n| - |\n| [b](b.html) |', '| a |\n| - |\n| [b](b.md) |'],
  ])('%j becomes %j', (text, expected) =>
    expect(rewriteMarkdown({ text, ...context, targets }).markdown).toBe(expected),
  )

  it('are all that changes', () => {
    const text = '\ufeff---\r\ntitle: T\r\nhidden: true\r\n---\r\n\r\nA  line \r\n* odd   list\r\n\r\n[b](b.html)\t\r\n'
    const { markdown, title, hidden } = rewriteMarkdown({ text, ...context, targets })
    expect(markdown).toBe(text.replace('b.html', 'b.md'))
    expect({ title, hidden }).toEqual({ title: 'T', hidden: true })
  })

  it('survive front matter that cannot be read', () => {
    const { markdown, fault } = rewriteMarkdown({ text: '---\na: [\n---\n# T\n', ...context })
    expect(markdown).toBe('---\na: [\n---\n# T\n')
    expect(fault).toMatch(/^The front matter cannot be read/)
  })
})

describe('an HTML page', () => {
  const convert = (html: string) => htmlToMarkdown({ html, ...context, base: 'https://x.example/docs/a' })

  it.each([
    [
      'its main part',
      '<nav>menu</nav><main><h1>A</h1><p>text</p><nav>more</nav></main><footer>f</footer>',
      '# A\n\ntext\n',
    ],
    ['a single article', '<div>x</div><article><h1>A</h1>text</article>', '# A\n\ntext\n'],
    ['its body', '<header>h</header><p>text</p><script>s()</script>', '# Untitled\n\ntext\n'],
    ['its title', '<title>T &amp; U *</title><p>text</p>', '# T & U \\*\n\ntext\n'],
    ['tables', '<h1>A</h1><table><tr><th>a<th>b<tr><td>1<td>2</table>', '# A\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'],
    ['code', '<h1>A</h1><pre><code class="language-ts">let a = 1\n</code></pre>', '# A\n\n```ts\nlet a = 1\n```\n'],
    ['absolute links', '<h1>A</h1><a href="b">b</a>', '# A\n\n[b](https://x.example/docs/b)\n'],
    ['no script in links', '<h1>A</h1><a href="javascript:x()">b</a>', '# A\n\n[b]()\n'],
    ['text that looks like tags', '<h1>A</h1><p>{% hint %} {{ x }}</p>', '# A\n\n\\{% hint %} \\{{ x }}\n'],
  ])('gives %s', (_what, html, markdown) => expect(convert(html).markdown).toBe(markdown))

  it('gives its embedded images as files', () => {
    const { markdown, files } = convert(
      `<h1>A</h1><img alt="p" src="data:image/png;base64,${pixel.toString('base64')}">`,
    )
    expect(files).toHaveLength(1)
    expect(files[0]?.path).toMatch(/^\.gitbook\/assets\/image-\w{16}\.png$/)
    expect(markdown).toBe(`# A\n\n![p](../${files[0]?.path})\n`)
  })
})

describe('a page from the web', () => {
  it('is imported with its images, as its server names them', async () => {
    const { tools } = aWeb({
      'https://x.example/docs/start.html':
        '<main><h1>Start</h1><img src="/i/logo?w=1"><img src="gone.png"><img src="text.png"></main>',
      'https://x.example/i/logo?w=1': pixel,
      'https://x.example/docs/text.png': 'not an image',
    })
    const set = await convertHtmlUrl('https://x.example/docs/start.html', tools)
    expect(set.pages).toMatchObject([{ type: 'document', title: 'Start', slug: 'start', file: 'start.md' }])
    expect(set.pages[0]?.markdown).toContain('![](.gitbook/assets/logo.png)')
    expect(set.pages[0]?.markdown).toContain('![](https://x.example/docs/gone.png)')
    expect(set.files).toMatchObject([
      { path: '.gitbook/assets/logo.png', contentType: 'image/png', dimensions: { width: 1, height: 1 } },
    ])
    expect(set).toMatchObject({ total: 4, imported: 2 })
    expect(set.warnings.map(({ path }) => path)).toEqual([
      'https://x.example/docs/gone.png',
      'https://x.example/docs/text.png',
    ])
  })

  it('in Markdown stays as it is, but for its links', async () => {
    const { tools } = aWeb({
      'https://x.example/README.md': '# Title\n\n![a](a.png) [b](docs/b.md) *odd*\n',
      'https://x.example/a.png': pixel,
    })
    const set = await convertMarkdownUrl('https://x.example/README.md', tools)
    expect(set.pages[0]).toMatchObject({ title: 'Title', file: 'README.md', slug: 'readme' })
    expect(set.pages[0]?.markdown).toBe(
      '# Title\n\n![a](.gitbook/assets/a.png) [b](https://x.example/docs/b.md) *odd*\n',
    )
  })

  it('that is not there, or too large, is refused', async () => {
    const { tools } = aWeb({ 'https://x.example/large': 'x'.repeat(2_000) }, { maxPageBytes: 1_000 })
    await expect(convertHtmlUrl('https://x.example/gone', tools)).rejects.toEqual(
      new ConvertFailure('unreachable', 'The server x.example answered 404'),
    )
    await expect(convertHtmlUrl('https://x.example/large', tools)).rejects.toThrow('too large')
  })
})
