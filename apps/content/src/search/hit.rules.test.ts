import { describe, expect, it } from '@jest/globals'
import { resultTypeOf, scoreOf } from './hit.rules.ts'

describe('resultTypeOf', () => {
  it.each<[string, boolean, number, string]>([
    ['its name has the whole query', true, 0, 'page'],
    ['its name and a section have it', true, 2, 'page'],
    ['its name has a part of it, and no section has any', false, 0, 'page'],
    ['a section has what its name lacks', false, 1, 'section'],
  ])('A hit matched as it should when %s', (_case, isInName, sections, expected) =>
    expect(resultTypeOf({ isInName, sections })).toBe(expected),
  )
})

describe('scoreOf', () => {
  it.each([
    [2.5, 2.5],
    [0, 0],
    [-1, 0],
  ])('A hit of rank %d has the score %d', (rank, score) => expect(scoreOf(rank)).toBe(score))
})
