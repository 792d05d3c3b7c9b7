import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { positionAfter, positionBetween } from './ordering.rules.ts'

describe('positions', () => {
  it('follow each other by code, however many there are', () => {
    const positions = Array.from({ length: 5000 }, () => '')
    positions.forEach((_, at) => void (positions[at] = positionAfter(positions[at - 1] ?? null)))
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(new Set(positions).size).toBe(positions.length)
  })

  it('have room between any two of them, and before and after all', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 100 }), places => {
        const positions: string[] = []
        for (const place of places) {
          const at = place % (positions.length + 1)
          positions.splice(at, 0, positionBetween(positions[at - 1] ?? null, positions[at] ?? null))
        }
        expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)))
      }),
    )
  })

  it.each(['d0001', 'dzzzz', 'k0198f0c2a51'])('follow %s, which the migration has made', position => {
    expect(positionAfter(position) > position).toBe(true)
  })
})
