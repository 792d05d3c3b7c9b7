import { describe, expect, it } from '@jest/globals'
import { readOutline } from '../index.ts'
import { outlineOf, read, roundTrip, write } from './round-trip.ts'

const url = (target: string) => ({ kind: 'url', url: target })

/** Blocks that Markdown itself has no syntax for: the Markdown, the document, and the normal form when it is another. */
const cases: [title: string, markdown: string, document: unknown[], normal?: string][] = [
  [
    'integration',
    '{% @mermaid/diagram content="a" fullWidth="true" %}',
    [['integration', { integration: 'mermaid', block: 'diagram', props: { content: 'a' }, fullWidth: true }]],
  ],
  [
    'integration with properties that are no lines',
    '{% @a/b props="{\\"c\\":\\"d\\ne\\",\\"f\\":[1]}" url="u" action="{\\"action\\":\\"x\\"}" %}',
    [
      [
        'integration',
        { integration: 'a', block: 'b', props: { c: 'd\ne', f: [1] }, url: 'u', action: { action: 'x' } },
      ],
    ],
  ],
  [
    'integration that is not understood',
    '{% @a/b props="c" %}',
    [['code', { raw: true }, ['code-line', ['{% @a/b props="c" %}']]]],
  ],
  ['drawing', '<img src="a.svg" alt="b" class="gitbook-drawing">', [['drawing', { ref: url('a.svg'), alt: 'b' }]]],
  ['drawing without a file', '<img src="" alt="" class="gitbook-drawing">', [['drawing']]],
  [
    'heading with alignment',
    '<h2 align="center">A &amp; <b>B</b></h2>',
    [['heading-1', { align: 'center' }, ['A & ', 'bold:B']]],
    '<h2 align="center">A &amp; <strong>B</strong></h2>',
  ],
  [
    'heading with alignment and anchor',
    '<h3 align="right">A <a href="#b" id="b"></a></h3>',
    [['heading-2', { id: 'b', align: 'end' }, ['A']]],
  ],
  ['empty paragraph with alignment', '<p align="center"></p>', [['paragraph', { align: 'center' }, ['']]]],
  [
    'highlighted code',
    '<pre class="language-js" data-title="a" data-line-numbers><code class="lang-js">a &lt; b\n<strong>c\n</strong>\n<strong><em>d</em><b>e</b></strong></code></pre>',
    [
      [
        'code',
        { syntax: 'js', title: 'a', lineNumbers: true },
        ['code-line', ['a < b']],
        ['code-line', { highlighted: true }, ['c']],
        ['code-line', ['']],
        ['code-line', { highlighted: true }, ['italic:d', 'bold:e']],
      ],
    ],
  ],
  [
    'annotation and expression in code',
    '<pre><code>a <a data-footnote-ref href="#user-content-fn-1">b c</a> <code class="expression">d</code></code></pre>\n\n[^1]: e',
    [
      [
        'code',
        [
          'code-line',
          ['a '],
          ['annotation', ['b c'], ['annotation-body', ['paragraph', ['e']]]],
          [' '],
          ['expression', { expression: 'd' }],
        ],
      ],
    ],
  ],
  [
    'HTML of code that is not understood',
    '<pre><code>a <strong>b</strong></code></pre>',
    [['code', { raw: true }, ['code-line', ['<pre><code>a <strong>b</strong></code></pre>']]]],
  ],
  [
    'annotation of two words',
    '<a data-footnote-ref href="#user-content-fn-1">two words</a>\n\n[^1]: b',
    [['paragraph', ['annotation', ['two words'], ['annotation-body', ['paragraph', ['b']]]]]],
  ],
  [
    'emoji without a name, and formula with blanks',
    '<span data-gb-custom-inline data-tag="emoji" data-code="2764">❤</span> <span class="math"> x </span>',
    [['paragraph', ['emoji', { code: '2764' }], [' '], ['inline-math', { formula: ' x ' }]]],
  ],
  [
    'link in a link',
    '<a href="a">b [c](d)</a>',
    [['paragraph', ['link', { ref: url('a') }, ['b '], ['link', { ref: url('d') }, ['c']]]]],
  ],
  ['blanks at the edges', '&#x20;a&#x20;', [['paragraph', [' a ']]]],
  [
    'a blank before an emoji',
    'a&#x20;\n\n:rocket:&#x20;',
    [
      ['paragraph', ['a ']],
      ['paragraph', ['emoji', { code: '1f680' }], [' ']],
    ],
  ],
  ['a name with an entity behind it', '\\:rocket:&#x20;', [['paragraph', [':rocket: ']]]],
  ['line break at the edges', '<br>a<br>', [['paragraph', ['\na\n']]]],
  [
    'box without text',
    '* [x] &#x20;\n  > a',
    [['list-tasks', ['list-item', { checked: true }, ['blockquote', ['paragraph', ['a']]]]]],
  ],
  [
    'order of columns in cards, and their settings',
    '<table data-view="cards" data-header-hidden="false"><thead><tr><th>a</th><th data-hidden>b</th></tr></thead><tbody></tbody></table>',
    [
      [
        'table',
        {
          view: { type: 'cards', cardSize: 'medium', hideColumnTitle: false, columns: ['column-rI2DQruyNi0T'] },
          definition: {
            'column-rI2DQruyNi0T': { id: 'column-rI2DQruyNi0T', title: 'a', type: 'text', textAlignment: 'left' },
            'column-wQD5XBkT-ccv': { id: 'column-wQD5XBkT-ccv', title: 'b', type: 'text', textAlignment: 'left' },
          },
          records: {},
        },
      ],
    ],
  ],
]

describe('the spelling of what Markdown has no place for', () => {
  it.each(cases)('%s', (_title, markdown, document, normal = markdown) => {
    const parsed = read(markdown)
    expect(parsed.nodes.map(outlineOf)).toEqual(document)
    expect(write(parsed).trimEnd()).toBe(normal)
    const { again, writtenAgain, output, faults } = roundTrip(markdown)
    expect([again, writtenAgain, faults]).toEqual([parsed, output, undefined])
  })
})

describe('the outline of a page', () => {
  it('has headings with alignment, and no footnotes as links', () => {
    const { sections, references } = readOutline(
      '<h2 align="center">A b</h2>\n\nc <a data-footnote-ref href="#user-content-fn-1">d</a>\n\n[^1]: e',
    )
    expect([sections.map(({ title, anchor }) => [title, anchor]), references]).toEqual([[['A b', 'a-b']], []])
  })
})
