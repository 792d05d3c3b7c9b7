import { expect, it } from '@jest/globals'
import { OrganizationQuota, shareOf } from './organization-quota.ts'

it.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [7, 3],
  [8, 4],
])('With %i slots an organization may take %i', (slots, share) => {
  expect(shareOf(slots)).toBe(share)
  const quota = new OrganizationQuota(slots)
  const releases = Array.from({ length: slots + 1 }, () => quota.take('a')).filter(Boolean)
  expect(releases).toHaveLength(share)
})

it('A released slot is taken by the same organization or by another', () => {
  const quota = new OrganizationQuota(4)
  const release = quota.take('a')
  quota.take('a')
  expect([quota.take('a'), typeof quota.take('b')]).toEqual([undefined, 'function'])
  release?.()
  expect(quota.take('a')).toBeDefined()
  expect(quota.take('a')).toBeUndefined()
})
