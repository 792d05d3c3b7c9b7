import { describe, expect, it } from '@jest/globals'
import { bodyNeeds, type BodyInput } from './index.ts'
import { plain } from './test/html.ts'
import { read, rendered, targetsOf } from './test/render.ts'

it('evaluates expressions in headings and code, and shows notes to code below it', async () => {
  const claim = { object: 'inline', type: 'expression', data: { expression: 'visitor.claims.plan' } } as const
  const text = (words: string) => ({
    object: 'text' as const,
    leaves: [{ object: 'leaf' as const, text: words, marks: [] }],
  })
  const note = { object: 'block', type: 'paragraph', nodes: [text('why')] } as const
  const annotation = {
    object: 'inline' as const,
    type: 'annotation' as const,
    nodes: [text('  b')],
    fragments: [
      { object: 'fragment' as const, fragment: 'annotation-body', nodes: [{ ...note, nodes: [text('why')] }] },
    ],
  }
  const document: BodyInput['document'] = {
    object: 'document',
    data: { schemaVersion: 8 },
    nodes: [
      { object: 'block', type: 'heading-1', nodes: [text('The plan '), claim] },
      {
        object: 'block',
        type: 'code',
        nodes: [
          { object: 'block', type: 'code-line', data: { highlighted: true }, nodes: [text('a ='), annotation, claim] },
        ],
      },
    ],
  }
  const { html, outline } = await rendered('', { claims: { plan: 'pro' }, document })
  expect(outline).toMatchObject([{ title: 'The plan pro' }])
  expect(html).toContain('<span class="line highlighted">a =  bpro</span>')
  expect(plain(html)).toContain('<ul class="code-notes"><li><code>b</code><p>why</p></li></ul>')
})

describe('what a body needs', () => {
  it('is listed once, in order, from all blocks and cells', () => {
    const table =
      '<table><thead><tr><th data-type="files">F</th><th data-type="content-ref">P</th></tr></thead><tbody><tr><td><a href="f.zip">f.zip</a></td><td><a href="p.md">p.md</a></td></tr></tbody></table>'
    const markdown = [
      '[a](a.md) [b](https://example.com) [a](a.md) [c](#c)',
      '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt=""></picture></figure>',
      '{% embed url="https://youtu.be/x" %}',
      '{% include "part.md" %}',
      table,
      '{% openapi-operation spec="toys" path="/" method="get" %}\n{% endopenapi-operation %}',
      '{% hint style="info" %}\n[deep](deep.md)[^1]\n{% endhint %}\n\n[^1]: [note](note.md)',
    ].join('\n\n')
    expect(bodyNeeds(read(markdown))).toEqual({
      references: [
        { kind: 'page', page: 'a.md' },
        { kind: 'anchor', anchor: 'c' },
        { kind: 'file', file: 'l-png' },
        { kind: 'file', file: 'd-png' },
        { kind: 'file', file: 'f-zip' },
        { kind: 'page', page: 'p.md' },
        { kind: 'page', page: 'deep.md' },
        { kind: 'page', page: 'note.md' },
      ],
      embeds: ['https://youtu.be/x'],
      specifications: ['toys'],
      reusableContents: [{ kind: 'reusable-content', reusableContent: 'part.md' }],
    })
  })
})

describe('a body', () => {
  it('has the outline of its headings, each with an id of its own', async () => {
    const { html, outline, hasMath } = await rendered('## Same\n\n### Same\n\n> ## Quoted\n\n## **Third** part')
    expect(outline).toEqual([
      { id: 'same', title: 'Same', depth: 1 },
      { id: 'same-1', title: 'Same', depth: 2 },
      { id: 'third-part', title: 'Third part', depth: 1 },
    ])
    expect(html).toContain('id="quoted"')
    expect(hasMath).toBe(false)
  })

  it('shows what it includes, but not in itself', async () => {
    const part = { kind: 'reusable-content', reusableContent: 'part.md' } as const
    const document = read('Included\n\n{% include "part.md" %}')
    const [included] = Object.keys(targetsOf([part, { title: '' }]))
    const { html } = await rendered('Before\n\n{% include "part.md" %}', { included: { [included ?? '']: document } })
    expect(plain(html)).toBe('<p>Before</p><p>Included</p>')
  })

  it('says what is no part of its document in the language of the interface', async () => {
    const { html } = await rendered('```\nx\n```\n\n{% hint style="danger" %}\nx\n{% endhint %}', { locale: 'de-AT' })
    expect(html).toContain('>Kopieren<')
    expect(html).toContain('aria-label="Gefahr"')
  })

  it('says that it needs the style sheet of formulas', async () => {
    expect(await rendered('$$a$$')).toMatchObject({ hasMath: true })
  })
})
