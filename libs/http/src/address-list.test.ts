import { expect, it } from '@jest/globals'
import { addressCheck } from './address-list.ts'

it.each<[list: string[], address: string | undefined, isListed: boolean]>([
  [['192.0.2.7'], '192.0.2.7', true],
  [['192.0.2.7'], '192.0.2.8', false],
  [['192.0.2.0/24'], '192.0.2.255', true],
  [['192.0.2.0/24'], '192.0.3.0', false],
  [['192.0.2.0/24'], '::ffff:192.0.2.1', true],
  [['0.0.0.0/0'], '203.0.113.9', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['2001:db8::/32'], '2001:db8:1::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:db8::1', '192.0.2.0/31'], '192.0.2.1', true],
  [['192.0.2.7'], undefined, false],
  [['192.0.2.7'], 'unknown', false],
])('The list %j has %s: %s', (list, address, isListed) => expect(addressCheck(list)(address)).toBe(isListed))
