import { expect, it } from '@jest/globals'
import { OrganizationQuota, shareOf } from './organization-quota.ts'

it.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [7, 3],
  [8, 4],
])('of %i places an organization may take %i', (places, share) => {
  expect(shareOf(places)).toBe(share)
  const fair = new OrganizationQuota(places)
  const taken = Array.from({ length: places + 1 }, () => fair.take('a')).filter(Boolean)
  expect(taken).toHaveLength(share)
})

it('a place that is given back is taken by the same organization or by another', () => {
  const fair = new OrganizationQuota(4)
  const [first] = [fair.take('a'), fair.take('a')]
  expect([fair.take('a'), typeof fair.take('b')]).toEqual([undefined, 'function'])
  first?.()
  expect(fair.take('a')).toBeDefined()
  expect(fair.take('a')).toBeUndefined()
})
