import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { readOutline, textOf, toDocument, toMarkdown } from '../index.ts'
import { JSONDocument, type DocumentBlock } from '../schema.ts'
import { outlineOf, read, roundTrip, write } from './round-trip.ts'

const url = (target: string) => ({ kind: 'url', url: target })

/** Markdown, the document, and the normal form when it is another. */
const cases: [title: string, markdown: string, document: unknown[], normal?: string][] = [
  ['paragraph', 'a\nb', [['paragraph', ['a b']]], 'a b'],
  ['line break', 'a  \nb', [['paragraph', ['a\nb']]], 'a\\\nb'],
  [
    'marks',
    '**a** *b* ~~c~~ `d`',
    [['paragraph', ['bold:a', ' ', 'italic:b', ' ', 'strikethrough:c', ' ', 'code:d']]],
    '**a** _b_ ~~c~~ `d`',
  ],
  [
    'marks of HTML',
    '<kbd>a</kbd><sup>b</sup><sub>c</sub>',
    [['paragraph', ['keyboard:a', 'superscript:b', 'subscript:c']]],
  ],
  ['colour', '<mark style="color:red;">a</mark>', [['paragraph', ['color:a']]]],
  ['blanks at the edge of marks', '<b> a </b>b', [['paragraph', ['bold:a', ' b']]], '**a** b'],
  ['heading', '## A', [['heading-1', ['A']]]],
  ['heading with anchor', '### A <a href="#x" id="x"></a>', [['heading-2', { id: 'x' }, ['A']]]],
  ['heading of another level', '##### A', [['heading-3', { level: 5 }, ['A']]]],
  [
    'lists',
    '- a\n  1. b',
    [
      [
        'list-unordered',
        ['list-item', ['paragraph', ['a']], ['list-ordered', { start: 1 }, ['list-item', ['paragraph', ['b']]]]],
      ],
    ],
    '* a\n  1. b',
  ],
  [
    'tasks',
    '* [ ] a\n* [x] b',
    [
      [
        'list-tasks',
        ['list-item', { checked: false }, ['paragraph', ['a']]],
        ['list-item', { checked: true }, ['paragraph', ['b']]],
      ],
    ],
  ],
  ['quote and rule', '> a\n\n---', [['blockquote', ['paragraph', ['a']]], ['divider']], '> a\n\n***'],
  ['hint', '{% hint style="warning" %}\na\n{% endhint %}', [['hint', { style: 'warning' }, ['paragraph', ['a']]]]],
  [
    'hint without lines',
    '{% hint style="info" %} a {% endhint %}',
    [['hint', { style: 'info' }, ['paragraph', ['a']]]],
    '{% hint style="info" %}\na\n{% endhint %}',
  ],
  [
    'tabs',
    '{% tabs %}{% tab title="T" %}\na\n{% endtab %}{% endtabs %}',
    [['tabs', ['tabs-item', { title: 'T' }, ['paragraph', ['a']]]]],
    '{% tabs %}\n{% tab title="T" %}\na\n{% endtab %}\n{% endtabs %}',
  ],
  [
    'stepper',
    '{% stepper %}\n{% step %}\na\n{% endstep %}\n{% endstepper %}',
    [['stepper', ['stepper-step', ['paragraph', ['a']]]]],
  ],
  [
    'columns',
    '{% columns %}\n{% column width="50%" %}\na\n{% endcolumn %}\n{% endcolumns %}',
    [['columns', ['column', { width: { value: 50, unit: '%' } }, ['paragraph', ['a']]]]],
  ],
  ['condition', '{% if a == "b" %}\na\n{% endif %}', [['if', { expression: 'a == "b"' }, ['paragraph', ['a']]]]],
  [
    'expandable',
    '<details>\n\n<summary>T</summary>\n\na\n\n</details>',
    [['expandable', ['expandable-title', ['paragraph', ['T']]], ['expandable-body', ['paragraph', ['a']]]]],
  ],
  [
    'code',
    '```js\na\n\nb\n```',
    [['code', { syntax: 'js' }, ['code-line', ['a']], ['code-line', ['']], ['code-line', ['b']]]],
  ],
  [
    'code with options',
    '{% code title="a.js" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}',
    [['code', { syntax: 'js', title: 'a.js', lineNumbers: true }, ['code-line', ['a']]]],
  ],
  ['math', '$$a$$', [['math', { formula: 'a' }]], '$$\na\n$$'],
  ['math in text', 'a $$b$$', [['paragraph', ['a '], ['inline-math', { formula: 'b' }]]]],
  [
    'image',
    '![a](b.png "c")',
    [['images', ['image', { ref: url('b.png'), alt: 'a' }, ['caption', ['paragraph', ['c']]]]]],
    '<figure><img src="b.png" alt="a"><figcaption><p>c</p></figcaption></figure>',
  ],
  [
    'image in text',
    'x <img src="b.png" alt="" data-size="line">',
    [['paragraph', ['x '], ['inline-image', { ref: url('b.png'), alt: '', size: 'line' }]]],
  ],
  ['file', '{% file src="a.pdf" %}', [['file', { ref: url('a.pdf') }]]],
  [
    'embed with caption',
    '{% embed url="u" %}\na\n{% endembed %}',
    [['embed', { url: 'u' }, ['caption', ['paragraph', ['a']]]]],
  ],
  [
    'content reference',
    '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}',
    [['content-ref', { ref: url('a.md') }]],
  ],
  ['include', '{% include "a.md" %}', [['reusable-content', { ref: url('a.md') }]]],
  [
    'operation',
    '{% openapi-operation spec="s" path="/p" method="get" %}\n{% endopenapi-operation %}',
    [['openapi-operation', { path: '/p', method: 'get', ref: url('s') }]],
  ],
  ['link with entities', '[a](b?c=1&amp;d)', [['paragraph', ['link', { ref: url('b?c=1&amp;d') }, ['a']]]]],
  ['mention', '[a.md](a.md "mention")', [['paragraph', ['mention', { ref: url('a.md') }]]]],
  [
    'button',
    '<a href="a.md" class="button primary">b</a>',
    [['paragraph', ['button', { label: 'b', kind: 'primary', ref: url('a.md') }]]],
  ],
  [
    'emoji, icon, expression',
    ':rocket: <i class="fa-bolt">:bolt:</i> <code class="expression">space.vars.a</code>',
    [
      [
        'paragraph',
        ['emoji', { code: '1f680' }],
        [' '],
        ['icon', { icon: 'bolt' }],
        [' '],
        ['expression', { expression: 'space.vars.a' }],
      ],
    ],
  ],
  [
    'annotation',
    'two words[^a]\n\n[^a]: b',
    [['paragraph', ['two '], ['annotation', ['words'], ['annotation-body', ['paragraph', ['b']]]]]],
    'two words[^1]\n\n[^1]: b',
  ],
  [
    'unknown tag',
    '{% x a="b" %}\na\n{% endx %}',
    [
      ['code', { raw: true }, ['code-line', ['{% x a="b" %}']]],
      ['paragraph', ['a']],
      ['code', { raw: true }, ['code-line', ['{% endx %}']]],
    ],
    '{% x a="b" %}\n\na\n\n{% endx %}',
  ],
  ['unknown HTML', '<x-y a=b>c</x-y>\n', [['paragraph', ['code:<x-y a=b>', 'c', 'code:</x-y>']]], '<x-y a=b>c</x-y>'],
  [
    'unknown HTML block',
    '<section>\n<b>a\n</section>',
    [['code', { raw: true }, ['code-line', ['<section>']], ['code-line', ['<b>a']], ['code-line', ['</section>']]]],
  ],
  ['text like a tag', '\\{% hint %}', [['paragraph', ['{% hint %}']]]],
  ['tags in code', '`{% hint %}`', [['paragraph', ['code:{% hint %}']]]],
]

describe('Markdown, document, Markdown', () => {
  it.each(cases)('%s', (_title, markdown, document, normal = markdown) => {
    const result = read(markdown)
    expect(result.nodes.map(outlineOf)).toEqual(document)
    expect(write(result).trimEnd()).toBe(normal)
    const { again, writtenAgain, output, faults } = roundTrip(markdown)
    expect([again, writtenAgain, faults]).toEqual([result, output, undefined])
  })
})

describe('a document', () => {
  it('leaves out the heading that says the title', () => {
    expect(read('---\nicon: x\n---\n\n# A `b`\n\ntext', 'A b').nodes.map(outlineOf)).toEqual([['paragraph', ['text']]])
    expect(read('# A', 'B').nodes.map(outlineOf)).toEqual([['heading-1', { level: 1 }, ['A']]])
  })

  it('keeps the keys of blocks when another is edited', () => {
    const before = read('one\n\ntwo\n\nthree\n\none').nodes.map(({ key }) => key)
    const after = read('one\n\nTWO\n\nthree\n\none').nodes.map(({ key }) => key)
    expect([after[0], after[2], after[3]]).toEqual([before[0], before[2], before[3]])
    expect(after[1]).not.toBe(before[1])
  })

  it('has a unique key for every node', () => {
    const keys: (string | undefined)[] = []
    JSON.stringify(
      read('a **b**\n\na **b**\n\n* a\n* a\n\n|a|\n|-|\n|a|\n|a|'),
      (_name, value: { object?: string; key?: string }) => {
        if (['block', 'inline', 'text', 'fragment'].includes(value?.object ?? '')) keys.push(value.key)
        return value
      },
    )
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).not.toContain(undefined)
  })

  it('says what refers to what', () => {
    const nodes: string[] = []
    const reference = (target: string, kind: string) => {
      nodes.push(`${kind} ${target}`)
      return { kind: 'page' as const, page: target }
    }
    const document = toDocument('[a](b.md) ![c](d.png)\n\n{% include "e.md" %}', { reference })
    expect(nodes).toEqual(['link b.md', 'image d.png', 'include e.md'])
    expect(toMarkdown(document, { target: ref => (ref.kind === 'page' ? `x/${ref.page}` : '') })).toContain('(x/b.md)')
  })

  it('has a JSON schema', () => expect(z.toJSONSchema(JSONDocument)).toHaveProperty('$defs.DocumentBlock'))

  it('is read as words', () =>
    expect(
      textOf(
        read(
          '## A\n\n[b](c.md) `d`\n\n| e |\n| - |\n| f |\n\n{% tabs %}\n{% tab title="g" %}\nh\n{% endtab %}\n{% endtabs %}',
        ),
      ),
    ).toBe('A\nb d\ne\nf\ng\nh'))
})

const marks = fc.subarray(['bold', 'italic', 'strikethrough', 'code', 'keyboard'], { maxLength: 1 })
const leaf = fc.record({
  object: fc.constant('leaf'),
  text: fc.oneof(fc.string({ minLength: 1 }), fc.stringMatching(/^[\w *_`~[\](){}%<>&:$|#!+.-]{1,12}$/)),
  marks: marks.map(types => types.map(type => ({ object: 'mark', type }))),
})
const paragraph = fc.array(leaf, { minLength: 1, maxLength: 4 }).map(leaves => ({
  object: 'block',
  type: 'paragraph',
  data: {},
  nodes: [{ object: 'text', leaves }],
}))
const { block } = fc.letrec(tie => ({
  block: fc.oneof(
    { depthSize: 'small' },
    paragraph,
    fc.record({
      object: fc.constant('block'),
      type: fc.constantFrom('hint', 'blockquote'),
      data: fc.constant({ style: 'info' }),
      nodes: fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
    }),
    fc.array(fc.array(tie('block'), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }).map(items => ({
      object: 'block',
      type: 'list-unordered',
      data: {},
      nodes: items.map(nodes => ({ object: 'block', type: 'list-item', data: {}, nodes })),
    })),
  ),
}))

describe('a formula', () => {
  const textsOf = (markdown: string) => outlineOf(read(markdown).nodes[0])
  it.each([
    ['that ends with a backslash', 'a$\\'],
    ['with the signs of Markdown', ' \\[x_1*_*`$$<b>&amp;[a](b)| {% x %} :tada:'],
    ['of two lines', 'a\nb$'],
  ])('A formula %s is kept', (_name, formula) => {
    const math = { object: 'inline', type: 'inline-math', isVoid: true, data: { formula } }
    const nodes = [{ object: 'block', type: 'paragraph', data: {}, nodes: [math] }]
    const markdown = write(JSONDocument.parse({ object: 'document', data: { schemaVersion: 11 }, nodes }))
    expect(textsOf(`A ${markdown}`)).toEqual(['paragraph', ['A '], ['inline-math', { formula }]])
  })

  it('A text with a run of dollars is none', () =>
    expect(textsOf(write(read('\\$\\$\\$>\\$[\\$\\$+')))).toEqual(['paragraph', ['$$$>$[$$+']]))
})

describe('any document', () => {
  it('is written as Markdown whose document is written the same', () =>
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), nodes => {
        const document = JSONDocument.parse({
          object: 'document',
          data: { schemaVersion: 1 },
          nodes: nodes as DocumentBlock[],
        })
        const once = read(write(document))
        const markdown = write(once)
        expect(write(read(markdown))).toBe(markdown)
        expect(read(markdown)).toEqual(once)
      }),
      { numRuns: 100 },
    ))

  it('of any text is a fixed point', () =>
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[\w *_`~[\](){}%<>&:$|#!+.="/\n-]{0,16}$/), { maxLength: 8 }), parts => {
        const { document, again, output, writtenAgain } = roundTrip(parts.join('\n'))
        expect(writtenAgain).toBe(output)
        expect(again).toEqual(document)
        readOutline(parts.join('\n'))
      }),
      { numRuns: 100 },
    ))
})
