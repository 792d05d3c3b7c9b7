import { describe, expect, it } from '@jest/globals'
import { canonicalNodes, firstDifference } from './canonical.rules.ts'
import type { DocumentBlock, DocumentMark, DocumentNode } from './schema.ts'

const text = (words: string, ...marks: DocumentMark['type'][]) =>
  ({
    object: 'text',
    leaves: [{ object: 'leaf', text: words, marks: marks.map(type => ({ object: 'mark', type })) }],
  }) as DocumentNode
const block = (type: string, more: object = {}) => ({ object: 'block', type, ...more }) as DocumentBlock
const paragraph = (...nodes: DocumentNode[]) => block('paragraph', { nodes })
const table = (ids: [column: string, row: string, cell: string], columns?: string[]) =>
  block('table', {
    data: {
      view: { type: 'grid', columns: columns ?? [ids[0]], hideHeader: false },
      definition: { [ids[0]]: { id: ids[0], title: 'T', type: 'text', textAlignment: 'left' } },
      records: { [ids[1]]: { orderIndex: ids[1], values: { [ids[0]]: ids[2] } } },
    },
    fragments: [{ object: 'fragment', fragment: ids[2], nodes: [paragraph(text('a'))] }],
  })

describe('two documents', () => {
  it.each<[string, DocumentNode, DocumentNode]>([
    ['keys', { ...paragraph(text('a')), key: 'x' }, { ...paragraph(text('a')), key: 'y' }],
    ['derived ids', block('heading-1', { meta: { id: 'a' } }), block('heading-1', { data: {} })],
    ['leaves of the same format', paragraph(text('a'), text('b')), paragraph(text('ab'))],
    ['the order of marks', paragraph(text('a', 'bold', 'code')), paragraph(text('a', 'code', 'bold', 'bold'))],
    ['blanks of a format', paragraph(text('a', 'bold'), text(' ', 'bold')), paragraph(text('a', 'bold'), text(' '))],
    ['texts without words', paragraph(), paragraph(text(''))],
    ['ids of columns, rows and cells', table(['a', '1', 'x']), table(['b', '2', 'y'])],
    ['code without lines', block('code'), block('code', { nodes: [block('code-line', { nodes: [text('')] })] })],
  ])('differ by %s and are the same', (_name, one, other) =>
    expect(firstDifference(canonicalNodes([one]), canonicalNodes([other]))).toBeUndefined(),
  )

  it.each<[string, DocumentNode[], DocumentNode[]]>([
    ['nodes.0', [paragraph(text('a'))], []],
    ['nodes', [], [paragraph(text('a'))]],
    ['nodes.0.nodes.0', [paragraph(text('a'))], [paragraph(text('b'))]],
    [
      'nodes.0.data.style',
      [block('hint', { data: { style: 'info' } })],
      [block('hint', { data: { style: 'danger' } })],
    ],
    ['nodes.0.data.view', [table(['a', '1', 'x'], [])], [table(['a', '1', 'x'])]],
    ['nodes.1', [paragraph(text('a')), block('divider')], [paragraph(text('a')), paragraph(text('b'))]],
  ])('differ at %s', (place, one, other) =>
    expect(firstDifference(canonicalNodes(one), canonicalNodes(other))).toBe(place),
  )
})
