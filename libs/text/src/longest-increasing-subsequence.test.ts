import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { longestIncreasingSubsequence } from './index.ts'

it.each<[string, (string | number | undefined)[], number[]]>([
  ['nothing', [], []],
  ['numbers in order', [1, 2, 3], [0, 1, 2]],
  ['equal keys', [1, 1, 1], [2]],
  ['keys that are missing', [2, undefined, 1, undefined, 3], [2, 4]],
  ['texts', ['b', 'a', 'c', 'b'], [1, 3]],
])('A longest increasing subsequence is found of %s', (_name, keys, indexes) =>
  expect(longestIncreasingSubsequence(keys as number[])).toEqual(indexes),
)

it('A longest increasing subsequence increases, and no other is longer', () =>
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }), { maxLength: 9 }), keys => {
      const indexes = longestIncreasingSubsequence(keys)
      const isIncreasing = (some: number[]) =>
        some.every(
          (index, at) => keys[index] !== undefined && (at === 0 || (keys[some[at - 1] ?? 0] ?? 0) < (keys[index] ?? 0)),
        )
      expect(isIncreasing(indexes)).toBe(true)
      for (let mask = 0; mask < 2 ** keys.length; mask += 1) {
        const some = keys.flatMap((_key, index) => (mask & (1 << index) ? [index] : []))
        if (some.length > indexes.length) expect(isIncreasing(some)).toBe(false)
      }
    }),
  ))
