import { expect, it } from '@jest/globals'
import type { JSONDocument } from '@recto/markdown/schema'
import { documentSections } from './document-sections.rules.ts'

const text = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] })
const block = (type: string, nodes: object[], more: object = {}) => ({ object: 'block', type, nodes, ...more })

it('The text of a page is in sections by its headings, without parts that not everybody sees', () => {
  const document = {
    object: 'document',
    data: {},
    nodes: [
      block('paragraph', [text('Before.')]),
      block('heading-1', [text('Part')], { meta: { id: 'part' } }),
      block('hint', [block('paragraph', [text('Inside.')])]),
      block('if', [block('paragraph', [text('Secret.')])]),
      block('paragraph', [text('After.')]),
    ],
  } as unknown as JSONDocument
  expect(documentSections(document)).toEqual([
    { title: '', text: 'Before.\n' },
    { title: 'Part', anchor: 'part', text: 'Inside.\nAfter.\n' },
  ])
})
