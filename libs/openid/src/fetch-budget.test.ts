import { expect, it } from '@jest/globals'
import { FetchBudget } from './fetch-budget.ts'

it('A URL is fetched six times in any minute, and others have budgets of their own', () => {
  const budget = new FetchBudget()
  const take = (seconds: number, url = 'https://a.test/keys') => budget.take(url, seconds * 1000)
  expect([0, 1, 2, 3, 4, 5].map(second => take(second))).toEqual(Array.from({ length: 6 }, () => true))
  expect(take(6)).toBe(false)
  expect(take(6, 'https://b.test/keys')).toBe(true)
  expect([take(60), take(60.5), take(61)]).toEqual([true, false, true])
})
