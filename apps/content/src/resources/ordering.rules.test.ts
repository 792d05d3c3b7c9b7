import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { positionAfter, positionBetween } from './ordering.rules.ts'

describe('positions', () => {
  it('Positions sort by code unit, for any number of them', () => {
    const positions = Array.from({ length: 5000 }, () => '')
    positions.forEach((_, at) => void (positions[at] = positionAfter(positions[at - 1] ?? null)))
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(new Set(positions).size).toBe(positions.length)
  })

  it('Positions can be created between any two, before the first and after the last', () => {
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

  it.each(['d0001', 'dzzzz', 'k0198f0c2a51'])(
    'Positions can follow %s, a position written by the migration',
    position => {
      expect(positionAfter(position) > position).toBe(true)
    },
  )
})
