import { describe, expect, it } from '@jest/globals'
import type { DocumentBlock, DocumentNode, DocumentRef, JSONDocument } from '@recto/markdown/schema'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { bodyNeeds, referenceKey, type BodyInput } from './index.ts'
import { renderBody } from './render-body.tsx'
import { textOfHtml } from './test/html.ts'
import { emptyInput, read, rendered, targetsOf } from './test/render.ts'

const texts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '" onload="alert(1)',
  "' onfocus='alert(1)' autofocus='",
  'javascript:alert(1)',
  '</code></pre><script>alert(1)</script>',
  '<!--',
]

function text(value: string): DocumentNode {
  return { object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] }
}

function block(type: DocumentBlock['type'], parts: Omit<DocumentBlock, 'object' | 'type'> = {}): DocumentBlock {
  return { object: 'block', type, ...parts }
}

function document(...nodes: DocumentBlock[]): JSONDocument {
  return { object: 'document', data: { schemaVersion: 8 }, nodes }
}

/** A document with a text in every field of every block and inline. */
function everyField(value: string): JSONDocument {
  const ref = { kind: 'url', url: value } as const
  const nodes = [text(value)]
  const body = [block('paragraph', { nodes })]
  const meta = { id: value }
  const part = (fragment: string) => ({ object: 'fragment' as const, fragment, nodes: body })
  const inline = (type: string, data: object, more: object = {}) =>
    ({ object: 'inline', type, data, ...more }) as DocumentNode
  const inlines = [
    inline('link', { ref, title: value }, { nodes }),
    inline('emoji', { code: value }),
    inline('icon', { icon: value }),
    inline('expression', { expression: value }),
    inline('inline-math', { formula: value }),
    inline('inline-image', {
      ref: { kind: 'url', url: 'https://example.com/a' },
      refDark: ref,
      alt: value,
      caption: value,
    }),
    inline('annotation', {}, { nodes, fragments: [part('annotation-body')] }),
    inline('mention', { ref }),
    inline('button', { label: value, kind: value, icon: value, ref }),
  ]
  const marks = [{ object: 'mark', type: 'color', data: { text: value, background: value } }] as never
  const colored = { object: 'text', leaves: [{ object: 'leaf', text: value, marks }] } as DocumentNode
  const definition = Object.fromEntries(
    ['text', 'number', 'rating', 'checkbox', 'select', 'files', 'users', 'content-ref', 'image', value].map(type => [
      type,
      {
        id: type,
        title: value,
        type,
        textAlignment: value,
        options: [{ value, label: value, color: value }],
        max: value,
      },
    ]),
  )
  const values = Object.fromEntries(Object.keys(definition).map(type => [type, type === 'files' ? [value] : value]))
  const records = { [value]: { orderIndex: value, values, labels: { files: [value] } } }
  const update = (date: string, tag: string) => {
    const tags = [value, tag].map(name => ({ kind: 'tag', tag: name }))
    return block('update', { data: { date, tags }, nodes: body })
  }
  const view = (type: string) => ({
    type,
    columns: Object.keys(definition),
    columnWidths: { text: value },
    cardSize: value,
    targetDefinition: 'content-ref',
    coverDefinition: 'image',
  })
  return document(
    block('paragraph', { data: { align: value }, nodes: [...inlines, colored] }),
    block('heading-1', { nodes, meta }),
    block('list-ordered', {
      data: { start: value },
      nodes: [block('list-item', { data: { checked: value }, nodes: body })],
    }),
    block('hint', { data: { style: value, icon: value }, nodes: body }),
    block('if', { data: { expression: value }, nodes: body }),
    block('images', { data: { align: value }, nodes: [block('image', { data: { ref, alt: value, width: value } })] }),
    block('file', { data: { ref }, fragments: [part('caption')] }),
    block('drawing', { data: { ref } }),
    block('embed', { data: { url: value } }),
    block('code', { data: { syntax: value, title: value, overflow: value }, nodes: [block('code-line', { nodes })] }),
    block('code', { data: { raw: true }, nodes: [block('code-line', { nodes })] }),
    block('math', { data: { formula: value, info: value } }),
    block('expandable', { meta, fragments: [part('expandable-title'), part('expandable-body')] }),
    block('tabs', { nodes: [block('tabs-item', { data: { title: value, icon: value }, meta, nodes: body })] }),
    block('table', { data: { view: view('grid'), definition, records } }),
    block('table', { data: { view: view('cards'), definition, records } }),
    block('openapi-operation', { data: { ref: { kind: 'openapi', spec: value }, path: value, method: value }, meta }),
    block('openapi-schemas', { data: { ref: { kind: 'openapi', spec: value }, schemas: [value] }, meta }),
    block('openapi-webhook', { data: { ref: { kind: 'openapi', spec: value }, name: value, method: value }, meta }),
    block('content-ref', { data: { ref } }),
    block('integration', { data: { url: value } }),
    block('stepper', { nodes: [block('stepper-step', { data: { icon: value }, nodes: body })] }),
    block('prompt', {
      data: { description: value, icon: value, defaultExpanded: value },
      nodes: [block('code', { data: { syntax: value }, nodes: [block('code-line', { nodes })] })],
    }),
    block('updates', { data: { format: value }, nodes: [update(value, value), update('2026-04-22T00:00:00Z', 'b')] }),
    block('columns', { nodes: [block('column', { data: { width: value, verticalAlignment: value }, nodes: body })] }),
  )
}

/** The dangers of a body in a browser: elements with attributes that run something, and elements that load it. */
function dangers(html: string): string[] {
  const stack: DefaultTreeAdapterTypes.Node[] = [parse(html)]
  const faults: string[] = []
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('childNodes' in node) stack.push(...node.childNodes)
    if (!('attrs' in node)) continue
    if (/^(?:script|iframe|object|embed|link|base|form|style)$/.test(node.tagName)) faults.push(node.tagName)
    for (const { name, value } of node.attrs) {
      const isUrl = ['href', 'src', 'action', 'data-embed', 'srcset', 'xlink:href'].includes(name)
      if (name.startsWith('on') || (isUrl && !/^(?:https?:|mailto:|tel:|\/(?!\/)|#)/.test(value)))
        faults.push(`${name}=${value}`)
    }
  }
  return faults
}

describe('hostile texts are nothing but text', () => {
  it.each(texts)('%s', async value => {
    const target = { href: value, title: value, description: value, emoji: value, icon: value, cover: value }
    const page: DocumentRef = { kind: 'page', page: 'p' }
    const whole = everyField(value)
    whole.nodes.push(block('content-ref', { data: { ref: page } }))
    const { html, outline } = await renderBody({
      ...emptyInput,
      document: whole,
      targets: targetsOf([page, target], [{ kind: 'url', url: value }, target]),
      embeds: { [value]: { title: value, site: value, description: value, icon: value } },
      locale: value,
    })
    expect(dangers(html)).toEqual([])
    expect(textOfHtml(html)).toContain(value)
    expect(outline.map(({ title }) => title)).toEqual([value])
  })

  it('finds what it looks for', () => {
    expect(dangers('<a href="javascript:x">a</a><script></script><img onload=x>').toSorted()).toEqual(
      ['href=javascript:x', 'onload=x', 'script'].toSorted(),
    )
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is no name of ours', async value => {
    const { html } = await renderBody({ ...emptyInput, document: everyField(value) })
    expect(dangers(html)).toEqual([])
    const strange = { ...block('paragraph'), type: value as never }
    expect(await renderBody({ ...emptyInput, document: document(strange) })).toMatchObject({ html: '' })
  })
})

function nested(type: DocumentBlock['type'], depth: number): DocumentBlock {
  let inner = block('paragraph', { nodes: [text('the innermost')] })
  for (let at = 0; at < depth; at += 1) inner = block(type, { nodes: [inner] })
  return inner
}

describe('what is too large or too deep ends', () => {
  it.each([
    'blockquote',
    'hint',
    'list-unordered',
    'list-item',
    'tabs',
    'columns',
    'stepper',
    'updates',
    'update',
    'if',
  ] as const)('10,000 %s in each other', async type => {
    const whole = document(nested(type, 10_000))
    const { html } = await renderBody({ ...emptyInput, document: whole })
    expect(html.length).toBeLessThan(500_000)
    expect(bodyNeeds(whole).references).toEqual([])
  })

  it('10,000 links in each other', async () => {
    const ref = { kind: 'url', url: 'https://example.com' }
    let inner = text('the innermost')
    for (let at = 0; at < 10_000; at += 1) inner = { object: 'inline', type: 'link', data: { ref }, nodes: [inner] }
    const { html } = await renderBody({ ...emptyInput, document: document(block('paragraph', { nodes: [inner] })) })
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).toContain('the innermost')
  })

  it('10,000 expandables in each other', async () => {
    let inner = block('paragraph', { nodes: [text('the innermost')] })
    for (let at = 0; at < 10_000; at += 1)
      inner = block('expandable', { fragments: [{ object: 'fragment', fragment: 'expandable-body', nodes: [inner] }] })
    expect((await renderBody({ ...emptyInput, document: document(inner) })).html).toContain('the innermost')
  })

  it('a table of 10,000 rows', async () => {
    const definition = { a: { id: 'a', title: 'A', type: 'number' }, b: { id: 'b', title: 'B', type: 'checkbox' } }
    const records = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`r${at}`, { orderIndex: String(at), values: { a: at, b: true } }]),
    )
    const data = { view: { type: 'grid', columns: ['a', 'b'], hideHeader: false }, definition, records }
    const { html } = await renderBody({ ...emptyInput, document: document(block('table', { data })) })
    expect(html.match(/<tr>/g)).toHaveLength(10_001)
  })

  it('cells that all name one large text', async () => {
    const definition = { a: { id: 'a', title: 'A', type: 'text' } }
    const records = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`r${at}`, { orderIndex: String(at), values: { a: 'cell' } }]),
    )
    const nodes = Array.from({ length: 1_000 }, () => block('paragraph', { nodes: [text('again')] }))
    const data = { view: { type: 'grid', columns: ['a'], hideHeader: false }, definition, records }
    const table = block('table', { data, fragments: [{ object: 'fragment', fragment: 'cell', nodes }] })
    const { html } = await renderBody({ ...emptyInput, document: document(table) })
    expect(html.length).toBeLessThan(20_000_000)
    expect(html).toContain('too long')
  })

  it('formulas that become a hundred times longer', async () => {
    const block = `$$\\frac{a}{\\sqrt{b^2+c}} + \\sum_{i=0}^n x_i$$\n\n`
    const { html } = await renderBody({ ...emptyInput, document: read(block.repeat(10_000)) })
    expect([html.length < 9_000_000, html.includes('too long')]).toEqual([true, true])
  })

  it('a megabyte of code', async () => {
    const { html } = await rendered(`\`\`\`js\n${'let a = `${1}`\n'.repeat(70_000)}\`\`\``)
    expect(html).not.toContain('token-')
    expect(html).toContain('let a = `${1}`')
  })

  it('a line of code of 100,000 characters', async () => {
    const { html } = await rendered(`\`\`\`js\n${'a('.repeat(49_000)}\n\`\`\``)
    expect(html).toContain('a(a(a(')
  })

  it.each([
    ['groups', '{'.repeat(1_900)],
    ['fractions', `${'\\frac{'.repeat(600)}x${'}{y}'.repeat(600)}`],
    [
      'a macro that doubles',
      `\\def\\a{xxxxxxxxxx}${Array.from({ length: 30 }, (_, at) => `\\def\\${String.fromCharCode(98 + (at % 20))}{\\a\\a}`).join('')}\\b\\c\\d`,
    ],
    ['a macro of itself', '\\def\\a{\\a\\a}\\a'],
    ['a rule of a kilometre', '\\rule{1000000em}{1000000em}'],
    ['a link', '\\href{javascript:alert(1)}{x} \\includegraphics{https://example.com/x} \\htmlData{a=b}{c}'],
    ['many characters', 'x+'.repeat(100_000)],
  ])('a formula of %s', async (_title, formula) => {
    const { html } = await renderBody({ ...emptyInput, document: document(block('math', { data: { formula } })) })
    expect(html.length).toBeLessThan(1_500_000)
    expect(html).not.toMatch(/href=|<img|1000000em;/)
  })

  it('a content with a long text that is included many times', async () => {
    const ref: DocumentRef = { kind: 'reusable-content', reusableContent: 'long' }
    const includes = Array.from({ length: 5_000 }, () => block('reusable-content', { data: { ref } }))
    const long = document(block('paragraph', { nodes: [text('x'.repeat(1_000_000))] }))
    const included = { [referenceKey(ref)]: long }
    const { html } = await renderBody({ ...emptyInput, document: document(...includes), included })
    expect(html.length).toBeLessThan(60_000_000)
    expect(html).toContain('too long')
  })

  it.each([
    ['a tag that never ends', `<${'a'.repeat(1_000_000)}`],
    ['comments', '<!--'.repeat(250_000)],
    ['tags of the dialect', '{%'.repeat(500_000)],
    ['tags', '<a '.repeat(300_000)],
  ])('text that was not understood: %s', async (_title, source) => {
    const leaf = {
      object: 'leaf',
      text: source,
      marks: [{ object: 'mark', type: 'code', data: { raw: true } }],
    } as const
    const nodes = [{ object: 'text' as const, leaves: [{ ...leaf, marks: [...leaf.marks] }] }]
    const { html } = await renderBody({ ...emptyInput, document: document(block('paragraph', { nodes })) })
    expect(textOfHtml(html).length).toBeGreaterThan(900_000)
  })

  it('contents that include each other many times', async () => {
    const contents = Array.from({ length: 10 }, (_, at): DocumentRef => ({
      kind: 'reusable-content',
      reusableContent: `c${at}`,
    }))
    const includes = contents.flatMap(ref =>
      Array.from({ length: 10 }, () => block('reusable-content', { data: { ref } })),
    )
    const included = Object.fromEntries(contents.map(ref => [referenceKey(ref), document(...includes)]))
    const input: BodyInput = { ...emptyInput, document: document(...includes), included }
    expect((await renderBody(input)).html.length).toBeLessThan(10_000)
  })
})
