import { describe, expect, it } from '@jest/globals'
import { codePointsOfEmoji, decodeUriComponent, emojiFromCodePoints, abbreviate } from './index.ts'

it.each([
  ['a%20b', 'a b'],
  ['%C3%A9', 'é'],
  ['plain', 'plain'],
  ['', ''],
  ['100%', undefined],
  ['%E9', undefined],
  ['%zz', undefined],
])('The percent-encoded text %j decodes to %j', (text, decoded) => {
  expect(decodeUriComponent(text)).toBe(decoded)
})

it.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['👍👍👍', 3, '👍👍👍'],
  ['👍👍👍👍', 3, '👍👍…'],
  ['', 1, ''],
])('%j cut to %i characters is %j', (text, maxLength, cut) => {
  expect(abbreviate(text, maxLength)).toBe(cut)
})

describe('Code points of an emoji', () => {
  it.each([
    ['👍', '1f44d'],
    ['🇩🇪', '1f1e9-1f1ea'],
    ['❤️', '2764-fe0f'],
  ])('%s are %s, and lead back to it', (emoji, code) => {
    expect(codePointsOfEmoji(emoji)).toBe(code)
    expect(emojiFromCodePoints(code)).toBe(emoji)
  })

  it.each(['', '-', '0', 'd800', '110000', '1f44d-', 'thumbs up', '1f44d-x', '12345678'])(
    'in the form %j are none, so that they have no characters',
    code => expect(emojiFromCodePoints(code)).toBeUndefined(),
  )
})
