import type { DocumentBlock, DocumentNode } from '@recto/markdown/schema'
import { expect, it } from '@jest/globals'
import { cleanDocument } from './clean-document.rules.ts'

const text = (words: string, marks: object[] = []): DocumentNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: words, marks: marks as never }],
})
const block = (type: string, nodes: DocumentNode[] = [], data?: object): DocumentBlock =>
  ({ object: 'block', type, nodes, ...(data && { data }) }) as DocumentBlock
const inline = (type: string, nodes: DocumentNode[], data: object): DocumentNode =>
  ({ object: 'inline', type, nodes, data }) as DocumentNode
const ref = { kind: 'url', url: 'https://evil.test' }
const color = { object: 'mark', type: 'color', data: { text: 'default', background: 'default' } }

it.each<[string, DocumentBlock, DocumentBlock[]]>([
  ['text', block('paragraph', [text('a')]), [block('paragraph', [text('a')])]],
  [
    'the words of a link',
    block('paragraph', [inline('link', [text('a')], { ref })]),
    [block('paragraph', [text('a')])],
  ],
  ['no picture in text', block('paragraph', [inline('inline-image', [], { ref })]), [block('paragraph')]],
  ['no button', block('paragraph', [inline('button', [], { label: 'a', ref })]), [block('paragraph')]],
  ['no pictures', block('images', [block('image', [], { ref })]), []],
  ['no embed', block('embed', [], { url: 'https://evil.test' }), []],
  ['no card', block('content-ref', [], { ref }), []],
  ['no color', block('paragraph', [text('a', [color])]), [block('paragraph', [text('a')])]],
  ['code of what was not understood', block('code', [], { raw: true }), [block('code', [], {})]],
  ['lists', block('list-unordered', [block('list-item', [])]), [block('list-unordered', [block('list-item', [])])]],
])('An answer keeps %s', (_what, before, after) => {
  const document = { object: 'document' as const, data: { schemaVersion: 8 } }
  expect(cleanDocument({ ...document, nodes: [before] })).toEqual({ ...document, nodes: after })
})
