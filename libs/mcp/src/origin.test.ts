import { expect, test } from '@jest/globals'
import { isForeignOrigin } from './origin.ts'

test.each([
  [undefined, false],
  ['https://docs.test', false],
  ['HTTPS://Docs.test', false],
  ['http://docs.test', true],
  ['https://evil.test', true],
  ['null', true],
  ['', true],
])('the origin %j is foreign: %s', (origin, isForeign) =>
  expect(isForeignOrigin(origin, ['https://docs.test'])).toBe(isForeign),
)
