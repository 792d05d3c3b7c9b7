import { expect, it } from '@jest/globals'
import { createRequestLimit } from './request-limit.ts'

it('An address has so many requests in a minute, and no other one less', () => {
  const limit = createRequestLimit(2)
  const takes = [limit.take('192.0.2.1'), limit.take('192.0.2.1'), limit.take('192.0.2.1'), limit.take('192.0.2.2')]
  expect(takes).toEqual([undefined, undefined, expect.any(Number), undefined])
  expect(takes[2]).toBeGreaterThan(0)
  expect(takes[2]).toBeLessThanOrEqual(60)
})

it('The addresses of one network have the requests of one', () => {
  const limit = createRequestLimit(1)
  expect([limit.take('2001:db8::1'), limit.take('2001:db8:0:1::1')]).toEqual([undefined, undefined])
  expect(limit.take('2001:db8::2')).toEqual(expect.any(Number))
})
