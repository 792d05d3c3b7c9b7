import { describe, expect, it } from '@jest/globals'
import { editDistance, isCorrectable, deletionNeighbours } from './spelling.ts'

describe('editDistance', () => {
  it.each([
    ['same', 'same', 0],
    ['buffer', 'bufer', 1],
    ['buffer', 'buffers', 1],
    ['buffer', 'bugfer', 1],
    ['buffer', 'bufefr', 1],
    ['elasticsaerch', 'elasticsearch', 1],
    ['kitten', 'sitting', 3],
    ['a', 'abcdef', 3],
    ['größe', 'grösse', 2],
  ])('editDistance counts the edits between %s and %s', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(Math.min(distance, 3))
    expect(editDistance(b, a, 2)).toBe(Math.min(distance, 3))
  })
})

describe('deletionNeighbours', () => {
  it.each([
    ['kubernetes', 'kubernets'],
    ['kubernetes', 'kubernettes'],
    ['kubernetes', 'kubernetis'],
    ['kubernetes', 'kubrenetes'],
    ['systemvoraussetzungen', 'systemvorraussetzungen'],
    ['systemvoraussetzungen', 'sytemvoraussetzungen'],
  ])('The deletion neighbours of %s and %s have one in common', (word, misspelt) => {
    const variants = new Set(deletionNeighbours(word))
    expect(deletionNeighbours(misspelt).some(variant => variants.has(variant))).toBe(true)
  })

  it('Words that are not corrected have no deletion neighbours', () => {
    expect(
      ['tab', '缓冲区大小', '12345', 'a.b.c'].map(word => [isCorrectable(word), deletionNeighbours(word)]),
    ).toEqual(Array.from({ length: 4 }, () => [false, []]))
  })
})
