import { expect, it } from '@jest/globals'
import { storableText } from './storable-text.rules.ts'

it.each([
  ['plain', 10, 'plain'],
  ['cut here', 3, 'cut'],
  ['a\0b\ud800c\udc00d', 10, 'abcd'],
  ['ab😀c', 4, 'ab😀'],
  ['ab😀c', 3, 'ab'],
  ['', 3, ''],
])('%j of at most %d characters is %j', (text, length, expected) => {
  expect(storableText(text, length)).toBe(expected)
})
