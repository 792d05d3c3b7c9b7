import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { applyDifference, diffDocuments, invertDifference } from '../index.ts'
import type { BlockStep, DocumentBlock, JSONDocument } from '../schema.ts'
import { stableText } from './content-ids.ts'
import { withGrid, type Grid } from './grid.ts'
import { similarity } from './words.ts'

const word = fc.constantFrom('one', 'two', 'three', 'كلمة', '苹果', 'can’t', '1.5', '', ' ', ', ', 'a b c d e')
const words = fc.array(word, { maxLength: 5 }).map(each => each.join(' '))
const mark = fc.constantFrom([], [{ object: 'mark', type: 'bold' }], [{ object: 'mark', type: 'code', data: {} }])
const leaf = fc.record({ object: fc.constant('leaf'), text: words, marks: mark })
const leaves = fc.array(leaf, { maxLength: 2 })
const text = leaves.map(each => ({ object: 'text', leaves: each }))
const flag = fc.constantFrom(undefined, true, false)
const data = fc.record({ style: fc.constantFrom('info', 'danger'), 'a.b': flag }, { requiredKeys: [] })
const parts = { key: words, data, meta: fc.record({ id: word }) }

const { block } = fc.letrec(tie => ({
  node: fc.oneof(text, tie('inline')),
  inline: fc.record(
    {
      object: fc.constant('inline'),
      type: fc.constantFrom('link', 'emoji', 'annotation'),
      nodes: fc.array(fc.oneof({ depthSize: 'small' }, text, tie('inline')), { maxLength: 2 }),
      fragments: fc.array(tie('fragment'), { maxLength: 1 }),
      ...parts,
    },
    { requiredKeys: ['object', 'type'] },
  ),
  fragment: fc.record(
    {
      object: fc.constant('fragment'),
      fragment: fc.constantFrom('caption', 'annotation-body'),
      nodes: fc.array(tie('block'), { maxLength: 2 }),
    },
    { requiredKeys: ['object', 'nodes'] },
  ),
  texts: fc.record(
    {
      object: fc.constant('block'),
      type: fc.constantFrom('paragraph', 'heading-1', 'code-line'),
      nodes: fc.array(tie('node'), { maxLength: 3 }),
      ...parts,
    },
    { requiredKeys: ['object', 'type'] },
  ),
  container: fc.record(
    {
      object: fc.constant('block'),
      type: fc.constantFrom('hint', 'list-unordered', 'list-ordered', 'list-item'),
      nodes: fc.array(fc.oneof({ depthSize: 'small' }, tie('block'), tie('texts')), { maxLength: 3 }),
      fragments: fc.array(tie('fragment'), { maxLength: 2 }),
      ...parts,
    },
    { requiredKeys: ['object', 'type', 'nodes'] },
  ),
  mixed: fc.record({
    object: fc.constant('block'),
    type: fc.constant('blockquote'),
    nodes: fc.tuple(text, tie('texts')),
  }),
  table: fc
    .tuple(fc.array(word, { maxLength: 3 }), fc.array(fc.array(words, { maxLength: 3 }), { maxLength: 4 }))
    .map(tableOf),
  block: fc.oneof({ depthSize: 'small' }, tie('texts'), tie('texts'), tie('container'), tie('table'), tie('mixed')),
}))

/** A table of a title for each column, and the texts of its rows; a text that is empty is a value of another kind. */
function tableOf([titles, rows]: [string[], string[][]]): DocumentBlock {
  const paragraph = (value: string) => ({
    object: 'block',
    type: 'paragraph',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] }],
  })
  const columns = titles.map((title, at) => ({
    id: `column-${title}-${at}`,
    definition: { id: `column-${title}-${at}`, title, type: 'text' },
    ...(title === 'two' && { title: [paragraph(title)] }),
  }))
  const gridRows = rows.map((cells, at) => {
    const entries = cells.slice(0, columns.length).map((value, cell) => [columns[cell]?.id, value])
    return {
      id: `row-${cells.join()}-${at}`,
      texts: Object.fromEntries(
        entries.flatMap(([id, value]) => (value === '' ? [] : [[id, [paragraph(value ?? '')]]])),
      ),
      values: Object.fromEntries(entries.flatMap(([id, value]) => (value === '' ? [[id, ['x']]] : []))),
    }
  })
  const table = { object: 'block', type: 'table', data: { view: { columns: titles } }, fragments: [] }
  return withGrid(table as unknown as DocumentBlock, { columns, rows: gridRows } as unknown as Grid)
}

const document = fc
  .array(block, { maxLength: 4 })
  .map(nodes => ({ object: 'document', data: { schemaVersion: 1 }, nodes }) as unknown as JSONDocument)
const other = fc.record({ document, edits: fc.array(fc.tuple(fc.nat(3), fc.option(block)), { maxLength: 2 }) })

/** Another document, or one with blocks replaced and left out. */
function edited(from: JSONDocument, edits: readonly [number, unknown][]): JSONDocument {
  const nodes = [...from.nodes]
  for (const [at, block] of edits) nodes.splice(at, 1, ...(block ? [block as DocumentBlock] : []))
  return { ...from, nodes }
}

const content = (value: JSONDocument) =>
  stableText(JSON.parse(JSON.stringify(value, (name, each: unknown) => (name === 'key' ? undefined : each))))

describe('the difference of any two documents', () => {
  it('Applied to the first document it is the second one, and inverted the other way round', () =>
    fc.assert(
      fc.property(document, other, fc.boolean(), (before, { document: another, edits }, isEdited) => {
        const after = isEdited ? edited(before, edits) : another
        const difference = JSON.parse(JSON.stringify(diffDocuments(before, after))) as { nodes: BlockStep[] }
        expect(content(applyDifference(before, difference))).toBe(content(after))
        expect(content(applyDifference(after, invertDifference(difference)))).toBe(content(before))
        expect(difference.nodes.length === 0).toBe(content(before) === content(after))
      }),
      { numRuns: 10_000 },
    ))

  it('Of a document and itself, whatever its keys, there is none', () =>
    fc.assert(
      fc.property(document, before => {
        const after = JSON.parse(
          JSON.stringify(before, (name, value: unknown) => (name === 'key' ? 'another' : value)),
        ) as JSONDocument
        expect(diffDocuments(before, after)).toEqual({ nodes: [] })
      }),
    ))
})

it('The similarity of two lists of words is between 0 and 1, and 1 for the same words', () =>
  fc.assert(
    fc.property(fc.array(word), fc.array(word), (a, b) => {
      expect(similarity(a, b)).toBeGreaterThanOrEqual(0)
      expect(similarity(a, b)).toBeLessThanOrEqual(1)
      expect(similarity(a, a)).toBe(1)
    }),
  ))
