import { expect, it } from '@jest/globals'
import { retryDelay } from './retry-delay.rules.ts'

const times = { first: 1_000, longest: 10_000 }

it.each([
  [1, 0, 1_000],
  [2, 0, 2_000],
  [4, 0, 8_000],
  [5, 0, 10_000],
  [500, 0, 10_000],
  [1, 1, 500],
  [5, 0.5, 7_500],
])('after %i failed attempts and with the random number %p, the next one is in %i ms', (attempts, random, delay) =>
  expect(retryDelay(attempts, times, random)).toBe(delay),
)
