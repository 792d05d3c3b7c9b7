import { expect, it } from '@jest/globals'
import { createRequestLimit } from './request-limit.ts'

it('A key has so many requests in a minute, and no other key less', () => {
  const limit = createRequestLimit(2)
  const takes = [limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]
  expect(takes).toEqual([undefined, undefined, expect.any(Number), undefined])
  expect(takes[2]).toBeGreaterThan(0)
  expect(takes[2]).toBeLessThanOrEqual(60)
})
