import { expect, it } from '@jest/globals'
import { returnLocation } from './return-location.rules.ts'

it.each<[string[], string, string]>([
  [[], '', '/'],
  [['guide', 'ä b'], '?q=1', '/guide/%C3%A4%20b?q=1'],
  [['/evil.test'], '', '/%2Fevil.test'],
  [['\\evil.test'], '', '/%5Cevil.test'],
  [['~recto', 'sign-in'], '?location=/', '/'],
  [['~recto', 'sign-out'], '', '/'],
  [['~recto', 'search'], '?q=x', '/~recto/search?q=x'],
  [['x'.repeat(700)], '', '/'],
])('%j with %j is %j', (parts, search, expected) => {
  expect(returnLocation(parts, search)).toBe(expected)
})
