import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { toDocument } from '../index.ts'
import { contentIds } from './table-ids.rules.ts'
import type { TableData } from './table-order.rules.ts'

const read = (rows: string[][], heads = ['A', 'B']) => {
  const lines = [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  const document = toDocument(`${lines.join('\n')}\n`, { reference: url => ({ kind: 'url', url }) })
  const [table] = document.nodes
  const data = table?.data as unknown as TableData
  return {
    data,
    rows: Object.keys(data.records),
    columns: Object.keys(data.definition),
    fragments: table?.fragments ?? [],
  }
}
const cell = fc.constantFrom('x', 'y', '**z**', '')
const rows = fc.array(fc.tuple(cell, cell), { maxLength: 8 })

describe('the ids of rows', () => {
  it('are those of their content, and of equal ones by their order', () => {
    const same = contentIds('row', [['x'], ['y'], ['x']])
    expect(same[2]).toBe(`${same[0]}-2`)
    expect(same[1]).not.toBe(same[0])
  })

  it('are the same for the same table, one for each row', () => {
    fc.assert(
      fc.property(rows, table => {
        const ids = read(table).rows
        expect(ids).toEqual(read(table).rows)
        expect(new Set(ids).size).toBe(table.length)
      }),
    )
  })

  it('stay while other rows are added, removed and moved', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(99), { minLength: 1 }), fc.infiniteStream(fc.boolean()), (ids, chosen) => {
        const rowOf = (value: number) => [`n${value}`, 'x']
        const idsOf = (values: number[]) => {
          const ids = read(values.map(rowOf)).rows
          return new Map(values.map((value, at) => [value, ids[at]]))
        }
        const before = idsOf(ids)
        const remainingIds = ids.filter(() => chosen.next().value).toReversed()
        const after = idsOf([100, ...remainingIds, 101])
        for (const value of remainingIds) expect(after.get(value)).toBe(before.get(value))
      }),
    )
  })

  it('stand in the order of the rows', () => {
    const { data, rows: ids } = read([
      ['b', '1'],
      ['a', '2'],
      ['b', '1'],
    ])
    const indexes = ids.map(id => data.records[id]?.orderIndex)
    expect(indexes).toEqual(indexes.toSorted())
  })
})

describe('the ids of columns', () => {
  it('are those of their titles, and of equal ones by their order', () => {
    const [a, b] = read([['1', '2']]).columns
    expect(read([['0', '1', '2']], ['New', 'A', 'B']).columns.slice(1)).toEqual([a, b])
    expect(read([['1', '2']], ['B', 'A']).columns).toEqual([b, a])
    expect(read([['1', '2']], ['A', 'A']).columns).toEqual([a, `${a}-2`])
    expect(read([['5', '6']], ['A', 'B']).data.view.columns).toEqual([a, b])
  })
})

it('the key of a cell stays while rows are added above it', () => {
  const keyOf = (table: ReturnType<typeof read>, text: string) =>
    table.fragments.find(part => JSON.stringify(part).includes(`"${text}"`))?.key
  const key = keyOf(read([['one', 'two']]), 'two')
  expect(key).toBeDefined()
  expect(
    keyOf(
      read([
        ['three', 'four'],
        ['one', 'two'],
      ]),
      'two',
    ),
  ).toBe(key)
})
