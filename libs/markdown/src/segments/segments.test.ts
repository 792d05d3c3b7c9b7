import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { marked, unmarked } from '@recto/testing'
import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { readOutline } from '../outline/read-outline.ts'
import { isReplyTo } from './segment-text.ts'
import { segmentTexts, segmentTokens, withTranslations } from './translate-segments.ts'

const fixtures = resolve(import.meta.dirname, '../../fixtures')

describe('the texts of a page', () => {
  it.each([
    ['paragraphs and headings', '# A `b`\n\nC **d _e_**.', ['A <x1/>', 'C <x1>d <x2>e</x2></x1>.']],
    ['lists and quotes', '* one\n  two\n\n> three\n> four', ['one\ntwo', 'three\nfour']],
    ['cells', '| a | `b` |\n| - | - |\n| 1 | c \\| d |', ['a', 'c <x1/> d']],
    [
      'links by their text',
      '[a](b.md) [c][d] [e] <https://f.example> https://g.example [h.md](h.md)\n\n[d]: x\n[e]: y',
      ['<x1>a</x1> <x2>c</x2> <x3/> <x4/> <x5/> <x6/>'],
    ],
    [
      'links by their text, unless it is the name of what they lead to',
      '[a.md](b/a.md) [d](c/d/README.md#e) [f.md](../g%20h/f.md#i) <a href="j/k.md">k.md</a> [l](m/l)',
      ['<x1/> <x2>d</x2> <x3/> <x4/> <x5>l</x5>'],
    ],
    ['escapes and references as objects', 'R&amp;D a\\_b & c < d', ['R<x1/>D a<x2/>b &amp; c &lt; d']],
    ['alternative texts and captions', 'See ![the *a*](a.png) ![b](b.png "c").', ['See <x1/> <x2/>.', 'b', 'c']],
    ['alternative texts of images that name their definition', '![a][b] ![c][] ![c]\n\n[b]: d.png\n[c]: e.png', ['a']],
    [
      'HTML within text',
      'a <b>b</b> <kbd>c</kbd> <img src="d" alt="e"> <a href="f">f</a>',
      ['a <x1>b</x1> <x2/> <x3/> <x4/>', 'e'],
    ],
    [
      'HTML',
      '<table><tr><td>a <b>b</b></td><td><a href="c.md">c.md</a></td><td><code>d</code></td></tr></table>',
      ['a <x1>b</x1>'],
    ],
    ['HTML in a list', '* <div>\n  <p>a\n  b</p></div>', ['a\nb']],
    ['figures', '<figure><img src="a" alt="b &amp; c"><figcaption><p>d</p></figcaption></figure>', ['b <x1/> c', 'd']],
    [
      'titles of tabs',
      '{% tabs %}\n{% tab title="a \\"b\\"" icon="c" %}\nd\n{% endtab %}\n{% endtabs %}',
      ['a <x1/>b<x2/>', 'd'],
    ],
    ['expandables', '<details>\n<summary>a</summary>\n\nb\n\n</details>', ['a', 'b']],
    [
      'no code, math, tags, targets and expressions',
      [
        '```js\na\n```\n\n`b`\n\n$$\nc\n$$\n\n{% embed url="https://d.example" %}\n\n{% if visitor.e %}\n{% endif %}',
        '{% code title="f.js" %}\n```\ng\n```\n{% endcode %}\n\n{{ page.vars.h }}\n\n[i]: j "k"\n\n***\n\n3000',
      ].join('\n\n'),
      [],
    ],
    ['nothing of the front matter', '---\ntitle: A\n---\nB', ['B']],
    ['footnotes', 'a[^1]\n\n[^1]: b', ['a<x1/>', 'b']],
    ['emoji as objects', 'a :smile: b', ['a <x1/> b']],
  ])('are its %s', (_title, markdown, texts) => expect(segmentTexts(markdown)).toEqual(texts))

  it('are none of a page beyond the bounds', () => expect(segmentTexts(`${'>'.repeat(10_000)} x`)).toBeUndefined())
})

describe('a reply', () => {
  it.each([
    ['a <x1>b</x1> <x2/>', '<x2/> <x1>c</x1> d', true],
    ['a <x1/>', 'a <x1></x1>', true],
    ['a <x1/>', 'a <x1 />', true],
    ['a <t1>b</t1>', '<t1>x</t1> c', true],
    ['a <x1/>', 'a', false],
    ['a <x1/>', 'a <x1/> <x1/>', false],
    ['a <x1/>', 'a <x1>b</x1>', false],
    ['a <x1>b</x1>', 'a b <x1/>', false],
    ['a <x1>b <x2/></x1>', 'a <x2/> <x1>b</x1>', false],
    ['a <x1>b</x1> <x2>c</x2>', 'a <x1>b <x2>c</x1></x2>', false],
    ['a', '<b>a</b>', false],
    ['a', 'a <x1/>', false],
    ['a', '…', false],
    ['a', 'a < b', false],
  ])('to %j may be %j: %s', (sent, reply, expected) => expect(isReplyTo(sent, reply)).toBe(expected))
})

describe('translations', () => {
  it.each([
    ['change their text only', 'a **b** `c`', ['B <x1>A</x1> <x2/>'], 'B **A** `c`'],
    ['change the order of objects', 'a **b** `c` [d](e)', ['<x3>D</x3> <x2/> <x1>B</x1>'], '[D](e) `c` **B**'],
    ['are escaped where they would be syntax', 'a\n\n| b |\n| - |\n| c |', ['# A', 'B | _B_', '<b>'], undefined],
    ['keep the markers of lines', '> a\n> b', ['A\nB\nC'], '> A\n> B\n> C'],
    ['of one line are on one', '* a\n  b', ['A B'], '* A B'],
    ['stand in attributes', '<img src="x" alt="a">', ['"A" & B'], '<img src="x" alt="&quot;A&quot; &amp; B">'],
    ['stand in tags', '{% tab title="a" %}', ['"A" %}'], '{% tab title="\\"A\\" %}" %}'],
    ['may be missing', 'a\n\nb', [undefined, 'B'], 'a\n\nB'],
    ['keep a byte order mark and line endings', '\ufeffa\r\n\r\nb\r\n', ['A', 'B'], '\ufeffA\r\n\r\nB\r\n'],
    [
      'keep anchors',
      '# T\n\n## a b\n\n## a b',
      ['T', 'A', 'A'],
      '# T\n\n## A <a href="#a-b" id="a-b"></a>\n\n## A <a href="#a-b-1" id="a-b-1"></a>',
    ],
    ['keep anchors that stay', '# T\n\n## a', ['T', '⟦a⟧'], '# T\n\n## ⟦a⟧'],
    ['without a placeholder are left out', 'a `b`', ['A'], 'a `b`'],
  ])('%s', (_title, markdown, replies, expected) => {
    const { markdown: translated } = withTranslations(markdown, replies)
    if (expected !== undefined) expect(translated).toBe(expected)
    expect(segmentTexts(translated)?.length).toBe(segmentTexts(markdown)?.length)
  })

  it('say which are left out, and why', () =>
    expect(withTranslations('a `b`\n\nc', ['A', 'C'])).toEqual({
      markdown: 'a `b`\n\nC',
      faults: [{ index: 0, fault: 'placeholders' }],
    }))

  it('that cannot be written do not take others with them', () =>
    expect(withTranslations('![a](b.png)\n\nc\n\nd', ['A\n\n[e](f)', '# C', 'D'])).toEqual({
      markdown: '![a](b.png)\n\n\\# C\n\nD',
      faults: [{ index: 0, fault: 'structure' }],
    }))
})

describe('a page of the fixtures', () => {
  it.each(readdirSync(fixtures))('%s comes back byte for byte', name => {
    const markdown = readFileSync(join(fixtures, name), 'utf8')
    const texts = segmentTexts(markdown) ?? []
    expect(withTranslations(markdown, texts)).toEqual({ markdown, faults: [] })
    const crlf = markdown.replace(/\r?\n/g, '\r\n')
    expect(withTranslations(crlf, texts).markdown).toBe(crlf)
    expect(unmarked(withTranslations(markdown, texts.map(marked)).markdown)).toBe(markdown)
    expect(segmentTokens(markdown).join('')).toBe(markdown)
  })
})

it('whatever is in translations, the page has the same texts in the same places', () => {
  const page = readFileSync(join(fixtures, 'text.md'), 'utf8') + readFileSync(join(fixtures, 'tables.md'), 'utf8')
  const texts = segmentTexts(page) ?? []
  const syntax = [
    '*',
    '_',
    '`',
    '[a](b)',
    '<b>',
    '|',
    '{% hint %}',
    '\n',
    '#',
    '- ',
    '1. ',
    '$$',
    '&amp;',
    ':smile:',
    '\\',
    '![',
    '~~',
    'www.a.b',
    'word',
    ' ',
  ]
  const noise = fc.array(fc.constantFrom(...syntax), { maxLength: 6 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(fc.array(noise, { minLength: texts.length, maxLength: texts.length }), noises => {
      const encoded = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
      const replies = texts.map((text, at) => `${text} x ${encoded(noises[at] ?? '')}`)
      const { markdown } = withTranslations(page, replies)
      const targets = (of: string) => readOutline(of).references.map(({ target, kind }) => `${kind} ${target}`)
      expect(segmentTexts(markdown)).toHaveLength(texts.length)
      expect(targets(markdown)).toEqual(targets(page))
    }),
    { numRuns: 12 },
  )
})
