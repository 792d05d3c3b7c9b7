import { describe, expect, it } from '@jest/globals'
import { pixelsOf } from '../test/pictures.ts'
import { gifToPng } from './gif.ts'

/** A picture of 10 by 10 that is red, white and blue, as a well-known encoder wrote it. */
const sample = Buffer.from(
  '4749463839610a000a0091000' +
    '0ffffffff00000000ff00000021f90400000000002c000000000a000a000002168c2d99872a1cdc33a00275ec95faa8de608c04914c0100' +
    '3b',
  'hex',
)

const names: Record<string, string> = { '255,255,255': 'w', '255,0,0': 'r', '0,0,255': 'b' }
const drawn = (png: Buffer) =>
  pixelsOf(png).map(row =>
    Array.from({ length: row.length / 3 }, (_, at) => names[row.slice(at * 3, at * 3 + 3).join()] ?? '?').join(''),
  )

describe('gifToPng', () => {
  it('shows the picture', () => {
    const { png, width, height } = gifToPng(sample)
    expect([width, height]).toEqual([10, 10])
    expect(drawn(png)).toEqual([
      'rrrrrbbbbb',
      'rrrrrbbbbb',
      'rrrrrbbbbb',
      'rrrwwwwbbb',
      'rrrwwwwbbb',
      'bbbwwwwrrr',
      'bbbwwwwrrr',
      'bbbbbrrrrr',
      'bbbbbrrrrr',
      'bbbbbrrrrr',
    ])
  })

  it.each([
    ['without a picture', sample.subarray(0, 30)],
    ['whose codes are too large', Buffer.concat([sample.subarray(0, 43), Buffer.from([12]), sample.subarray(44)])],
  ])('refuses one %s', (_what, bytes) => expect(() => gifToPng(bytes)).toThrow())

  it('shows what there is of one that ends too early', () =>
    expect(drawn(gifToPng(sample.subarray(0, 55)).png)).toHaveLength(10))
})
