import { expect, it } from '@jest/globals'
import { pauseBeforeDue } from './scheduler.rules.ts'

it.each<[string, { every: number; untilDue: number }, number]>([
  ['an overdue row', { every: 1_000, untilDue: -60_000 }, 1_000],
  ['a row that is due at once', { every: 1_000, untilDue: 0 }, 1_000],
  ['a row that is due before the work may run', { every: 5_000, untilDue: 3_000 }, 5_000],
  ['a row that is due later', { every: 1_000, untilDue: 12_345 }, 12_345],
  ['a row that is due tomorrow', { every: 1_000, untilDue: 86_400_000 }, 30_000],
  ['no row', { every: 1_000, untilDue: Infinity }, 30_000],
  ['no row, for work that runs hourly', { every: 3_600_000, untilDue: Infinity }, 3_600_000],
])('the pause before %s', (_which, failures, expected) => {
  expect(pauseBeforeDue(failures)).toBe(expected)
})
