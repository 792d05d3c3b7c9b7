import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { encodeIndex } from '../../pack-index.ts'
import { maxDeltaDepth } from '../../pack-entry.ts'
import { delta, distanceBytes, entry, entryTypes, instruction, objectId, packOf, withTrailer } from '../packs.ts'
import { differences } from './differences.ts'
import type { IndexInput } from './index-inputs.ts'
import { judgeIndexes, judgePackets, judgePacks } from './judge.ts'
import { requestHead } from './packet-inputs.ts'
import { Random } from './random.ts'
import { Scratch } from './scratch.ts'

const { blob, offsetDelta, refDelta } = entryTypes
const text = Buffer.from('hello world')
const whole = entry(blob, text)
const idBytes = (data: Buffer) => [...Buffer.from(objectId('blob', data), 'hex')]

function aLongChain(): Buffer[] {
  const entries = [whole]
  const change = entry(
    offsetDelta,
    delta({ base: 11, result: 11 }, instruction.copy(0, 11)),
    distanceBytes(whole.length),
  )
  const onChange = entry(
    offsetDelta,
    delta({ base: 11, result: 11 }, instruction.copy(0, 11)),
    distanceBytes(change.length),
  )
  return [...entries, change, ...Array.from({ length: maxDeltaDepth }, () => onChange)]
}

const packs = {
  'number with needless bytes': packOf([
    Buffer.concat([Buffer.from([0xbb, ...new Array<number>(9).fill(128), 0]), deflateSync(text)]),
  ]),
  'delta whose sizes are cut off': packOf([
    whole,
    entry(offsetDelta, Buffer.from([11, 128, 128, 128]), distanceBytes(whole.length)),
  ]),
  'chain of too many deltas': packOf(aLongChain()),
  'delta by id on an object that is there twice': packOf([
    whole,
    whole,
    entry(refDelta, delta({ base: 11, result: 5 }, instruction.copy(0, 5)), idBytes(text)),
  ]),
  'object over the limit': packOf([whole, entry(blob, Buffer.alloc(2 ** 20 + 1))]),
  'object over the limit that is broken': packOf([
    whole,
    entry(offsetDelta, delta({ base: 11, result: 2 ** 21 }, instruction.copy(0, 11)), distanceBytes(whole.length)),
  ]),
}

const entries = [
  { oid: '11'.repeat(20), offset: 12, crc: 0 },
  { oid: '22'.repeat(20), offset: 3_000_000_000, crc: 0 },
  { oid: '33'.repeat(20), offset: 4_000_000_000, crc: 0 },
]
const index = encodeIndex(entries, Buffer.alloc(20))
const offsets = 1_032 + 3 * 24
const changed = (change: (copy: Buffer) => void): IndexInput => {
  const copy = Buffer.from(index.subarray(0, -20))
  change(copy)
  return { bytes: withTrailer(copy), packBytes: 5_000_000_000 }
}
const withMore = (bytes: number): IndexInput => ({
  bytes: withTrailer(Buffer.concat([index.subarray(0, -40), Buffer.alloc(bytes), index.subarray(-40, -20)])),
  packBytes: 5_000_000_000,
})

/** An index of version 1: counts, then an offset and a name for each object. */
function anOldIndex(): IndexInput {
  const bytes = Buffer.alloc(1_024 + 24 + 20)
  for (let first = 0x11; first < 256; first++) bytes.writeUInt32BE(1, first * 4)
  bytes.writeUInt32BE(12, 1_024)
  bytes.fill(0x11, 1_028, 1_048)
  return { bytes: withTrailer(bytes), packBytes: 100 }
}

const indexes = {
  'index of another version': anOldIndex(),
  'index with the wrong checksum': {
    bytes: Buffer.concat([index.subarray(0, -20), createHash('sha1').digest()]),
    packBytes: 5_000_000_000,
  },
  'index with names out of order': changed(copy => void copy.fill(0x44, 1_032 + 20, 1_032 + 40)),
  'index that counts its names wrongly': changed(copy => void copy.writeUInt32BE(1, 8 + 0x22 * 4)),
  'index with an offset outside of its pack': changed(copy => void copy.writeUInt32BE(11, offsets)),
  'index with large offsets out of order': changed(
    copy => void copy.writeUInt32BE(0x80000000, copy.writeUInt32BE(0x80000001, offsets + 4)),
  ),
  'index with large offsets that are not used': changed(copy => void copy.writeUInt32BE(100, offsets + 8)),
  'index with two names for one entry': {
    bytes: encodeIndex(
      entries.map(item => ({ ...item, offset: Math.min(item.offset, 3_000_000_000) })),
      Buffer.alloc(20),
    ),
    packBytes: 5_000_000_000,
  },
  'index with half of an offset': {
    bytes: withTrailer(
      Buffer.concat([
        encodeIndex(
          entries.map((item, at) => ({ ...item, offset: 12 + at })),
          Buffer.alloc(20),
        ).subarray(0, -40),
        Buffer.alloc(4),
        Buffer.alloc(20),
      ]),
    ),
    packBytes: 100,
  },
}

const conversations = {
  'packet that means nothing to git': `${requestHead}0000000bagain!!0000`,
  'stream that ends between two packets': `${requestHead}0009hello`,
}

let scratch: Scratch
beforeAll(() => void (scratch = new Scratch()))
afterAll(() => scratch.remove())

const random = () => [new Random('differences')]

describe('native git and this library differ on purpose about a', () => {
  it.each(Object.entries(packs))('%s', async (difference, pack) =>
    expect(await judgePacks(scratch, [pack], random())).toEqual([{ difference }]),
  )
  it.each(Object.entries(indexes))('%s', async (difference, input) =>
    expect(await judgeIndexes(scratch, [input], random())).toEqual([{ difference }]),
  )
  it.each(Object.entries(conversations))('%s', async (difference, conversation) =>
    expect(await judgePackets(scratch, [Buffer.from(conversation)], random())).toEqual([{ difference }]),
  )

  it('nothing else', () =>
    expect(Object.keys({ ...packs, ...indexes, ...conversations }).sort()).toEqual(Object.keys(differences).sort()))
})

describe('native git and this library agree about', () => {
  it('a pack, or its refusal', async () =>
    expect(
      await judgePacks(scratch, [packOf([whole]), packOf([whole, whole]), packOf([whole], { count: 2 })], random()),
    ).toEqual(['accepted by both', 'accepted by both', 'refused by both']))

  it('an index, or its refusal', async () =>
    expect(await judgeIndexes(scratch, [{ bytes: index, packBytes: 5_000_000_000 }, withMore(80)], random())).toEqual([
      'accepted by both',
      'refused by both',
    ]))

  it('packets, or their refusal', async () =>
    expect(
      await judgePackets(
        scratch,
        [`${requestHead}0009hello0000`, `${requestHead}0003`, `${requestHead}0009he`].map(line => Buffer.from(line)),
        random(),
      ),
    ).toEqual(['accepted by both', 'refused by both', 'refused by both']))
})
