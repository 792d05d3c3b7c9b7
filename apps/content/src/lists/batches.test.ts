import { expect, it } from '@jest/globals'
import { batches } from './batches.ts'

it.each<[number, number[][]]>([
  [0, []],
  [2, [[0, 1]]],
  [3, [[0, 1, 2]]],
  [7, [[0, 1, 2], [3, 4, 5], [6]]],
])('%i items come in batches of three, in their order', (length, expected) =>
  expect([
    ...batches(
      Array.from({ length }, (_, at) => at),
      3,
    ),
  ]).toEqual(expected),
)
