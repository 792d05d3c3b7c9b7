import { describe, expect, it } from '@jest/globals'
import { columnOrder, rowOrder } from './table-order.rules.ts'

const tableOf = (ids: string, columns: string) => ({
  view: { type: 'grid' as const, columns: [...columns] },
  definition: Object.fromEntries([...ids].map(id => [id, { id }])),
})

describe('the columns of a table', () => {
  it.each([
    ['abc', 'abc', 'abc'],
    ['abc', 'cab', 'cab'],
    ['abc', 'ca', 'cab'],
    ['abc', 'b', 'abc'],
    ['abc', '', 'abc'],
    ['abc', 'cxc', 'abc'],
  ])('of the definition %s with the view %s stand as %s', (ids, columns, order) =>
    expect(columnOrder(tableOf(ids, columns)).join('')).toBe(order),
  )
})

describe('the rows of a table', () => {
  it('stand by their index, and as they are given where it is the same', () => {
    const row = (orderIndex: string) => ({ orderIndex, values: {} })
    expect(rowOrder({ a: row('2'), b: row('1'), c: row('2'), d: row('10') })).toEqual(['b', 'd', 'a', 'c'])
  })
})
