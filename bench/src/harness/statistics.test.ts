import { describe, expect, it } from '@jest/globals'
import { isWithinBudget, type Finding } from './finding.ts'
import { median, quantile } from './statistics.ts'

describe('median', () => {
  it.each<[number[], number]>([
    [[7], 7],
    [[10, 9, 1], 9],
    [[100, 2, 4, 1], 3],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected)
  })

  it('of nothing is refused', () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

describe('quantile', () => {
  it('is a value of the upper end', () => {
    expect(
      quantile(
        Array.from({ length: 100 }, (_, at) => 99 - at),
        0.99,
      ),
    ).toBe(99)
  })
})

describe('a budget', () => {
  it.each<[number, Finding['budget'], boolean | undefined]>([
    [70, { atLeast: 70 }, true],
    [69.9, { atLeast: 70 }, false],
    [5, { atMost: 5 }, true],
    [5.1, { atMost: 5 }, false],
    [Number.NaN, { atMost: 5 }, false],
    [1, undefined, undefined],
  ])('%d against %j: %s', (value, budget, expected) => {
    expect(isWithinBudget({ value, ...(budget && { budget }) })).toBe(expected)
  })
})
