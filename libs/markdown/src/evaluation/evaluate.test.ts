import { describe, expect, it } from '@jest/globals'
import { textOf } from '../document/text-of.ts'
import { toDocument } from '../document/to-document.ts'
import { withReferences } from '../document/references.ts'
import type { DocumentRef } from '../document/schema.ts'
import { document, evaluatedMarkdown } from '../tasks.ts'
import type { EvaluationScope } from './evaluate-document.ts'

const space = { vars: { name: 'Recto', on: true, off: false } }
const page = { vars: { name: 'This page' } }
const everything: EvaluationScope = { space, page, visitor: { claims: {} } }
const deterministic: EvaluationScope = { space, page }
const expression = (source: string) => `<code class="expression">${source}</code>`
const when = (source: string, body: string) => `{% if ${source} %}\n${body}\n{% endif %}`

describe('the expressions of a page', () => {
  it.each([
    ['text', `a ${expression('space.vars.name')} b`, 'a Recto b'],
    ['in a heading', `## The ${expression('page.vars.name')}`, '## The This page'],
    ['in a table', `| a |\n| - |\n| ${expression('space.vars.name')} |`, '| a     |\n| ----- |\n| Recto |'],
    ['missing', `a ${expression('space.vars.none.more')} b`, 'a  b'],
    ['no expression', `a ${expression('1 +')} b`, 'a  b'],
    ['of the visitor', `a ${expression('visitor.claims.plan')} b`, 'a  b'],
    ['true', when('space.vars.on', 'Shown.'), 'Shown.'],
    ['false', when('space.vars.off', 'Hidden.'), ''],
    ['broken', when('nothing.at.all', 'Hidden.'), ''],
    ['nested', when('space.vars.on', when('space.vars.off', 'Hidden.') + '\n\nShown.'), 'Shown.'],
  ])('show their values: %s', (_name, markdown, expected) => {
    const evaluated = evaluatedMarkdown({ markdown, evaluation: { scope: everything } })
    expect(evaluated.trim()).toBe(expected)
    expect(textOf(document({ markdown, evaluation: { scope: everything } }))).toBe(
      textOf(toDocument(evaluated, { reference: url => ({ kind: 'url', url }) })),
    )
  })

  it('stay when they depend on the visitor, and only what does not is asked for', () => {
    const markdown = `${expression('space.vars.name')}\n\n${when('visitor.claims.plan == "pro"', expression('page.vars.name'))}`
    const evaluated = evaluatedMarkdown({ markdown, evaluation: { scope: deterministic } })
    expect(evaluated).toContain('Recto\n')
    expect(evaluated).toContain('{% if visitor.claims.plan == "pro" %}\nThis page\n{% endif %}')
  })

  it('leave a page as it is, byte for byte, when there are none; else its front matter', () => {
    const plain = '---\r\nicon: x\r\n---\r\n\r\n# A\r\n*  b'
    expect(evaluatedMarkdown({ markdown: plain, evaluation: { scope: everything } })).toBe(plain)
    const markdown = `---\nicon: x\n---\n\n# Title\n\n${expression('space.vars.name')}\n`
    const evaluated = evaluatedMarkdown({ markdown, evaluation: { scope: everything } })
    expect(evaluated).toBe('---\nicon: x\n---\n\n# Title\n\nRecto\n')
  })

  it('keep targets as they were written', () => {
    const markdown = `[a](b%20c.md "t") ![x](<d e.png>) ${expression('1')}\n\n{% content-ref url="../x.md" %}\n{% endcontent-ref %}`
    const evaluated = evaluatedMarkdown({ markdown, evaluation: { scope: everything } })
    for (const target of ['b%20c.md', 'd e.png', '../x.md']) expect(evaluated).toContain(target)
    expect(evaluated).not.toContain('\0')
  })
})

describe('a document that is read before its targets are known', () => {
  it('is the same as one that is read with them, but for its keys and the ids of rows', () => {
    const markdown = [
      '[a](b.md) ![x](c.png) [m](u "mention")',
      '{% include "d.md" %}',
      '{% file src="e.zip" %}',
      '<table data-view="cards"><thead><tr><th data-type="files">F</th><th data-type="image">I</th></tr></thead><tbody><tr><td><a href="f.zip">f.zip</a></td><td><a href="g.png">g.png</a></td></tr></tbody></table>',
    ].join('\n\n')
    const reference = (target: string, kind: string): DocumentRef =>
      kind === 'file' || kind === 'image' ? { kind: 'file', file: `id-${target}` } : { kind: 'page', page: target }
    const withoutKeys = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (name, item: unknown) => {
          if (name === 'records') return Object.values(item as object)
          return name === 'key' ? undefined : item
        }),
      ) as unknown
    const filled = withReferences(document({ markdown }), reference)
    expect(withoutKeys(filled)).toEqual(withoutKeys(toDocument(markdown, { reference })))
    expect(JSON.stringify(filled)).toContain('id-f.zip')
  })
})
