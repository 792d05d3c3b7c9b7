import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { GitPackError } from '../../git-pack-error.ts'
import { fuzz } from './fuzz.ts'
import { comparePack, comparePackets } from './judge.ts'

const fresh = randomBytes(4).toString('hex')
console.warn(`The fresh seed of this run is ${fresh}`)

describe('random and damaged input is read as by native git:', () => {
  it.each(
    ['1', '2', fresh].flatMap(
      seed =>
        [
          ['pack', 250, seed],
          ['index', 500, seed],
          ['packets', 300, seed],
        ] as const,
    ),
  )('%s, %s inputs of seed %s', async (kind, count, seed) => {
    const figures = await fuzz({ kind, seed, count })
    expect([...figures.values()].reduce((sum, number) => sum + number, 0)).toBe(count)
    expect(figures.get('accepted by both')).toBeGreaterThan(count / 10)
    // Of the fresh seed, some ten times as many on average: a bound nearer to that would fail by chance.
    expect(figures.get('refused by both')).toBeGreaterThan(count / 150)
  })
})

describe('a fault is', () => {
  const fault = { fault: expect.any(String) }
  const read = { value: { index: Buffer.from('a'), oids: ['a'], skipped: false } }
  const pack = Buffer.from('PACK\0\0\0\x02\0\0\0\0')
  const packets = { packets: ['a', '0000'], framed: true, refused: undefined }

  it.each([
    ['a pack that only git refuses', comparePack(pack, read, { complaint: 'fatal: pack is corrupted' })],
    [
      'a pack that is refused here, whatever the reason',
      comparePack(
        pack,
        { refused: new GitPackError('unsupported', 'The pack holds a chain of more than 10000 deltas') },
        { index: Buffer.from('a') },
      ),
    ],
    ['another index than git writes', comparePack(pack, read, { index: Buffer.from('b') })],
    ['another packet than git reads', comparePackets(packets, { packets: ['b'], refused: false })],
    [
      'a packet more than git reads before it refuses',
      comparePackets({ ...packets, framed: false }, { packets: ['a'], refused: true }),
    ],
    [
      'a packet fewer than git reads',
      comparePackets({ ...packets, packets: ['a'] }, { packets: ['a', '0000'], refused: false }),
    ],
  ])('%s', (_title, verdict) => expect(verdict).toEqual(fault))
})
