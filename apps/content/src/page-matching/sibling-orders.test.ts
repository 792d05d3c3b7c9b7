import fc from 'fast-check'
import { describe, expect, test } from '@jest/globals'
import { ordersFor } from './sibling-orders.ts'

const siblings = (orders: (string | undefined)[]) => orders.map((order, at) => ({ id: `p${at}`, order }))

describe('siblings keep their order indexes', () => {
  const cases: [string, (string | undefined)[], string[]][] = [
    ['all, when nothing moved', ['a0', 'a1', 'a2'], ['a0', 'a1', 'a2']],
    ['none, when all are new', [undefined, undefined], ['a0', 'a1']],
    ['all but a new one in the middle', ['a0', undefined, 'a1'], ['a0', 'a0V', 'a1']],
    ['all but new ones at the ends', [undefined, 'a0', undefined], ['Zz', 'a0', 'a1']],
    ['all but the one that moved to the front', ['a2', 'a0', 'a1'], ['Zz', 'a0', 'a1']],
    ['all but the one that moved to the end', ['a1', 'a2', 'a0'], ['a1', 'a2', 'a3']],
    ['equal ones too, as long as ids tell them apart', ['a0', 'a0', 'a1'], ['a0', 'a0', 'a1']],
  ]
  test.each(cases)('Siblings keep their order indexes: %s', (_what, orders, expected) =>
    expect(ordersFor(siblings(orders))).toEqual(expected),
  )

  test('Changed siblings are placed between those that keep their order indexes', () => {
    const order = fc.option(fc.constantFrom('Zz', 'a0', 'a0V', 'a1', 'a1l', 'a2', 'a3'), { nil: undefined })
    fc.assert(
      fc.property(fc.array(order, { maxLength: 12 }), orders => {
        const made = ordersFor(siblings(orders))
        const read = made
          .map((each, at) => ({ order: each, id: `p${at}` }))
          .sort((a, b) => (a.order < b.order || (a.order === b.order && a.id < b.id) ? -1 : 1))
        expect(made).toHaveLength(orders.length)
        expect(read.map(({ order: each }) => each)).toEqual(made)
      }),
    )
  })
})
