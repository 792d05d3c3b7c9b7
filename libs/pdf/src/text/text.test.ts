import { describe, expect, it } from '@jest/globals'
import { directionOf, shapedText, visualOrder } from './bidi.ts'
import { segmentsOf } from './segments.ts'

const parts = (text: string) => segmentsOf(text).map(({ text: part, isGlued }) => (isGlued ? `+${part}` : part))

describe('a line may end', () => {
  it.each([
    ['at spaces', 'two words', ['two', ' ', 'words']],
    ['between characters of Chinese, and not before marks', '中文，是', ['+中', '文，', '是']],
    ['and not after opening ones', '（中文）', ['+（中', '文）']],
    ['between Chinese and Latin', '用English写', ['+用', 'English', '写']],
    ['between words of Thai', 'ภาษาไทย', ['+ภาษา', 'ไทย']],
    ['at zero-width spaces', 'a\u200bb', ['a', '', 'b']],
  ])('%s', (_case, text, expected) => expect(parts(text)).toEqual(expected))
})

describe('direction', () => {
  it.each([
    ['Latin', 'abc 123', 'ltr', undefined],
    ['Hebrew', 'אב 12', 'rtl', [1, 1, 1, 2, 2]],
    ['Latin with Hebrew', 'a אב', 'ltr', [0, 0, 1, 1]],
  ] as const)('of %s', (_case, text, base, levels) => {
    const read = directionOf(text)
    expect(read.base).toBe(base)
    expect(read.levels && [...read.levels]).toEqual(levels)
  })

  it.each([
    ['from left to right', [0, 0, 0], [0, 1, 2]],
    ['from right to left', [1, 1, 1], [2, 1, 0]],
    ['with a number in it', [1, 2, 2, 1], [3, 1, 2, 0]],
    ['within the other', [0, 1, 1, 0], [0, 2, 1, 3]],
  ])('orders words %s', (_case, levels, order) => {
    const items = levels.map((level, at) => ({ level, at }))
    expect(visualOrder(items).map(({ at }) => at)).toEqual(order)
  })

  it('mirrors brackets, and turns around what fonts do not', () => {
    expect(shapedText('(אב)', 1)).toBe(')אב(')
    expect(shapedText('(.', 1)).toBe('.)')
    expect(shapedText('(a)', 2)).toBe('(a)')
  })
})
