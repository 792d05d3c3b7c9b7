import { deflateSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { aPng, pixelsOf } from '../test/pictures.ts'
import { flattenPng } from './png.ts'

const of = (rows: number[][]) => deflateSync(Buffer.from(rows.flat()))

describe('flattenPng', () => {
  it.each<[string, 0 | 2 | 3 | 4 | 6, number[][], number[][]]>([
    ['colours on white', 6, [[0, 10, 20, 30, 255, 10, 20, 30, 0]], [[10, 20, 30, 255, 255, 255]]],
    ['half of a colour', 6, [[0, 0, 0, 0, 51, 0, 0, 0, 255]], [[204, 204, 204, 0, 0, 0]]],
    ['grey on white', 4, [[0, 100, 255, 100, 0]], [[100, 100, 100, 255, 255, 255]]],
    ['a palette', 3, [[0, 0, 0]], [[255, 0, 0, 255, 0, 0]]],
    ['a row that adds to its left', 6, [[1, 1, 2, 3, 255, 1, 1, 1, 0]], [[1, 2, 3, 2, 3, 4]]],
    [
      'rows that add to the one above',
      4,
      [
        [0, 9, 255, 8, 255],
        [2, 1, 0, 2, 0],
      ],
      [
        [9, 9, 9, 8, 8, 8],
        [10, 10, 10, 10, 10, 10],
      ],
    ],
    ['means', 4, [[3, 9, 255, 8, 128]], [[9, 9, 9, 12, 12, 12]]],
    [
      'Paeth',
      4,
      [
        [0, 9, 255, 8, 255],
        [4, 1, 0, 2, 0],
      ],
      [[10, 10, 10, 10, 10, 10].slice(0, 6)],
    ],
  ])('%s', (what, color, rows, expected) => {
    const read = pixelsOf(flattenPng(aPng({ width: 2, height: rows.length, color, data: of(rows) })))
    if (what === 'Paeth') expect(read[0]).toEqual([9, 9, 9, 8, 8, 8])
    else expect(read).toEqual(expected)
  })

  it('puts the seven pictures of an interlaced one together', () => {
    const flat = flattenPng(
      aPng({ width: 5, height: 5, color: 6, isInterlaced: true, data: deflateSync(Buffer.alloc(111)) }),
    )
    expect(pixelsOf(flat)).toEqual(Array.from({ length: 5 }, () => Array.from({ length: 15 }, () => 255)))
  })

  it('refuses what has too few pixels', () => {
    expect(() => flattenPng(aPng({ width: 9, height: 9, color: 6, data: of([[0, 1]]) }))).toThrow('cut off')
  })
})
