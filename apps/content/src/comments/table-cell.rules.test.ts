import { toDocument } from '@recto/markdown'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { followCell } from './table-cell.rules.ts'

interface Data {
  records: Record<string, { values: Record<string, string> }>
  definition: Record<string, { title: string }>
}
type Rows = readonly (readonly string[])[]

const read = (markdown: string) => toDocument(markdown, { reference: url => ({ kind: 'url', url }) })
const tableOf = (rows: Rows, heads: readonly string[] = ['A', 'B', 'C']) =>
  [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |\n`).join('')
const tablesOf = (document: ReturnType<typeof read>) => document.nodes.filter(({ type }) => type === 'table')
const dataOf = (document: ReturnType<typeof read>, table: number) => tablesOf(document)[table]?.data as unknown as Data

/** Follows a cell from the Markdown before to the Markdown after, and returns the indices of its row, column and table there. */
function locateAfter(
  [before, after]: [string, string],
  { row, column, table = 0, isNamed = false }: { row: number; column: number; table?: number; isNamed?: boolean },
) {
  const from = read(before)
  const to = read(after)
  const { records, definition } = dataOf(from, table)
  const tableCell = { record: Object.keys(records)[row] ?? '', definition: Object.keys(definition)[column] ?? '' }
  const node = isNamed ? tablesOf(from)[table]?.key : undefined
  const cell = followCell(from, to, { tableCell, node })
  if (!cell) return undefined
  const at = tablesOf(to).findIndex((_table, index) => {
    const { records: rows, definition: columns } = dataOf(to, index)
    const isIn = Object.hasOwn(rows, cell.tableCell.record) && Object.hasOwn(columns, cell.tableCell.definition)
    return isIn && (cell.node === undefined || cell.node === tablesOf(to)[index]?.key)
  })
  const now = dataOf(to, at)
  return [
    Object.keys(now.records).indexOf(cell.tableCell.record),
    Object.keys(now.definition).indexOf(cell.tableCell.definition),
    at,
  ]
}

const rows = [
  ['one', '1', 'x'],
  ['two', '2', 'x'],
  ['three', '3', 'x'],
  ['two', '2', 'x'],
]
const replaceRow = (at: number, ...cells: string[]) => rows.with(at, cells)
const swappedHeads = ['B', 'A', 'C']

describe.each([false, true])('the second cell of a row, with its table: %s,', isNamed => {
  it.each<[string, number, string, [number, number] | undefined]>([
    ['nothing changes', 1, tableOf(rows), [1, 1]],
    ['a row is added above', 1, tableOf([['zero', '0', 'x'], ...rows]), [2, 1]],
    ['all rows move', 2, tableOf(rows.toReversed()), [1, 1]],
    ['the row above is removed', 2, tableOf(rows.slice(1)), [1, 1]],
    ['of two equal rows, it is the second', 3, tableOf([['zero', '0', 'x'], ...rows]), [4, 1]],
    ['of two equal rows, one is removed', 3, tableOf(rows.slice(0, 3)), undefined],
    ['its format changes', 2, tableOf(replaceRow(2, 'three', '**3**', 'x')), [2, 1]],
    ['it is edited', 2, tableOf(replaceRow(2, 'three', '33', 'x')), undefined],
    ['it is emptied', 2, tableOf(replaceRow(2, 'three', '', 'x')), undefined],
    ['another cell of its row is edited', 2, tableOf(replaceRow(2, 'third', '3', 'x')), [2, 1]],
    ['all other cells of its row are edited', 2, tableOf(replaceRow(2, 'third', '3', 'y')), [2, 1]],
    ['its row is edited and moved', 2, tableOf([['third', '3', 'x'], ...rows.toSpliced(2, 1)]), [0, 1]],
    ['its row is removed', 2, tableOf(rows.toSpliced(2, 1)), undefined],
    ['its row is removed, and another has the same cell', 0, tableOf([...rows.slice(1), ['new', '1', 'y']]), undefined],
    [
      'its column moves',
      2,
      tableOf(
        rows.map(([a = '', b = '', c = '']) => [b, a, c]),
        swappedHeads,
      ),
      [2, 0],
    ],
    ['its column is renamed', 2, tableOf(rows, ['A', 'New', 'C']), [2, 1]],
    [
      'its column is removed',
      2,
      tableOf(
        rows.map(([a = '', , c = '']) => [a, c]),
        ['A', 'C'],
      ),
      undefined,
    ],
    [
      'a column is added before it',
      2,
      tableOf(
        rows.map(cells => ['n', ...cells]),
        ['N', 'A', 'B', 'C'],
      ),
      [2, 2],
    ],
    ['its table is removed', 2, 'Words.\n', undefined],
    ['its table becomes another one', 2, tableOf([['p', 'q']], ['P', 'Q']), undefined],
  ])('The second cell of a row is followed, or lost, when %s', (_what, row, after, place) =>
    expect(locateAfter([tableOf(rows), after], { row, column: 1, isNamed })).toEqual(place && [...place, 0]),
  )

  it('The second cell of a row is looked for only in its own table', () => {
    const one = tableOf(rows)
    const other = tableOf(rows.slice(1))
    const inSecond = { row: 1, column: 1, table: 1, isNamed: true }
    expect(locateAfter([`${one}\n${other}`, `New.\n\n${one}\n${tableOf(rows.slice(2))}`], inSecond)).toEqual([0, 1, 1])
    expect(locateAfter([`${one}\n${other}`, `${one}\n${tableOf([rows[1] ?? []])}`], inSecond)).toBeUndefined()
    expect(locateAfter([`${one}\n${other}`, one], inSecond)).toBeUndefined()
    const inFirst = { row: 0, column: 1, isNamed }
    expect(locateAfter([`${one}\n${other}`, `${other}\n${one}`], inFirst)).toEqual([0, 1, 1])
  })
})

describe('a cell of any table', () => {
  const table = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 })
  const rowOf = (value: number) => [`name ${value}`, `${value}`, value % 2 === 0 ? 'even' : 'odd']
  const tableCase = fc.record({
    values: table,
    at: fc.nat(),
    column: fc.nat(2),
    kept: fc.infiniteStream(fc.boolean()),
    added: fc.uniqueArray(fc.integer({ min: 50, max: 60 }), { maxLength: 4 }),
    order: fc.infiniteStream(fc.nat(1_000)),
    isNamed: fc.boolean(),
  })

  it('A cell of any table stays on its row while others are added, removed, moved and edited, and goes with it', () => {
    fc.assert(
      fc.property(tableCase, ({ values, at, column, kept, added, order, isNamed }) => {
        const row = at % values.length
        const own = values[row] ?? 0
        const others = values.filter(value => value !== own && kept.next().value)
        const next = [own, ...others, ...added]
          .map(value => ({ value, place: order.next().value }))
          .sort((a, b) => a.place - b.place)
          .map(({ value }) => value)
        const editRow = (value: number) => (others[0] === value ? ['edited', `${value}`, ''] : rowOf(value))
        const where = { row, column, isNamed }
        const before = tableOf(values.map(rowOf))
        expect(locateAfter([before, tableOf(next.map(editRow))], where)).toEqual([next.indexOf(own), column, 0])
        const without = next.filter(value => value !== own)
        // With values that many rows share (column 2), another row at the same place counts as the row with its other cells edited.
        if (column !== 2) expect(locateAfter([before, tableOf(without.map(editRow))], where)).toBeUndefined()
      }),
    )
  })

  it('A cell of any table is found while another cell of its row is edited, and not when it is edited itself', () => {
    fc.assert(
      fc.property(tableCase, fc.nat(2), ({ values, at, column, added, isNamed }, other) => {
        const row = at % values.length
        const editedRow = rowOf(values[row] ?? 0).with(other, 'edited')
        const after = tableOf([...added.map(rowOf), ...values.map(rowOf).with(row, editedRow)])
        const place = other === column ? undefined : [row + added.length, column, 0]
        expect(locateAfter([tableOf(values.map(rowOf)), after], { row, column, isNamed })).toEqual(place)
      }),
    )
  })
})
