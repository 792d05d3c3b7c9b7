import { constants, deflateSync } from 'node:zlib'
import { applyDelta } from '../../pack-entry.ts'
import { entryHeader, entryTypes, instruction, objectId, varint, withTrailer } from '../packs.ts'
import type { CorpusPack } from './corpus.ts'
import { damaged } from './mutations.ts'
import { encodeModel, type ModelEntry } from './pack-model.ts'
import type { Random } from './random.ts'

const { commit, tree, blob, tag, offsetDelta, refDelta } = entryTypes

/** Generates a pack: from native git or written here; intact, with false values, or damaged. */
export function aPack(random: Random, corpus: readonly CorpusPack[]): Buffer {
  const native = random.percent(50) ? random.pick(corpus) : undefined
  if (native && random.percent(5)) return native.bytes
  const pack = native && random.percent(40) ? native.bytes : rewritten(native?.entries ?? anyEntries(random), random)
  if (random.percent(60)) return pack
  const body = damaged(pack.subarray(0, -20), random)
  return random.percent(80) ? withTrailer(body) : damaged(pack, random)
}

function rewritten(original: readonly ModelEntry[], random: Random): Buffer {
  let entries = [...original]
  for (let left = random.below(3); left > 0; left--) entries = random.pick(changes)(entries, random)
  const count = random.percent(4)
    ? entries.length + random.pick([-1, 1, 2, 0xffffffff - entries.length])
    : entries.length
  return encodeModel(entries, { count, version: random.percent(3) ? random.below(5) : 2 })
}

/** Generates whole objects and deltas on them, in any order that the format allows. */
function anyEntries(random: Random): ModelEntry[] {
  const entries: ModelEntry[] = []
  const made: { type: string; data: Buffer }[] = []
  for (let left = random.below(9); left > 0; left--) {
    const at = random.below(made.length)
    const base = made[at]
    if (base && random.percent(55)) {
      const change = aDelta(base.data, random)
      const byOffset = random.percent(50)
      entries.push({
        type: byOffset ? offsetDelta : refDelta,
        data: change,
        base: byOffset ? { entry: at } : { bytes: [...Buffer.from(objectId(base.type, base.data), 'hex')] },
      })
      made.push({ type: base.type, data: change.length < 4 ? base.data : applyDelta(base.data, change) })
    } else {
      const [type, name] = random.pick([
        [commit, 'commit'],
        [tree, 'tree'],
        [blob, 'blob'],
        [blob, 'blob'],
        [tag, 'tag'],
      ] as const)
      const data = random.percent(2)
        ? Buffer.alloc(1_100_000)
        : random.percent(4)
          ? Buffer.alloc(65_536 + random.below(70_000), random.bytes(50))
          : random.percent(50)
            ? random.text(random.below(300))
            : random.bytes(random.below(60))
      entries.push({ type, data })
      made.push({ type: name, data })
    }
  }
  return random.percent(10) && entries.every(({ base }) => !base || 'bytes' in base) ? entries.reverse() : entries
}

function aDelta(base: Buffer, random: Random): Buffer {
  const instructions: number[][] = []
  let result = 0
  for (let left = random.below(5); left > 0; left--) {
    if (base.length > 0 && random.percent(60)) {
      const from = random.below(base.length)
      const most = Math.min(0xffffff, base.length - from)
      const size = most >= 0x10000 && random.percent(50) ? 0x10000 : 1 + random.below(most)
      instructions.push(random.percent(70) ? instruction.shortCopy(from, size) : instruction.copy(from, size))
      result += size
    } else {
      const bytes = random.bytes(1 + random.below(random.percent(10) ? 127 : 12))
      instructions.push(instruction.insert([...bytes]))
      result += bytes.length
    }
  }
  if (random.percent(15)) return Buffer.from([...varint(base.length), ...varint(base.length), ...copyAll(base.length)])
  return Buffer.from([...varint(base.length), ...varint(result), ...instructions.flat()])
}

/** A duplicate of an object: a delta whose result equals its base. */
function copyAll(size: number): number[] {
  return size === 0
    ? []
    : instruction
        .copy(0, Math.min(size, 0xffffff))
        .concat(size > 0xffffff ? instruction.copy(0xffffff, size - 0xffffff) : [])
}

type Change = (entries: ModelEntry[], random: Random) => ModelEntry[]

function toOne(change: (item: ModelEntry, random: Random) => Partial<ModelEntry>): Change {
  return (entries, random) => {
    if (entries.length === 0) return entries
    const chosen = random.below(entries.length)
    return entries.map((item, at) => (at === chosen ? { ...item, ...change(item, random) } : item))
  }
}

const changes: readonly Change[] = [
  (entries, random) => entries.filter(() => random.percent(80)),
  (entries, random) => (entries.length === 0 ? entries : [...entries, random.pick(entries)]),
  (entries, random) =>
    entries
      .map(item => ({ item, key: random.below(1_000) }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item),
  toOne(({ data, type }, random) => ({
    header: entryHeader(type, Math.max(0, data.length + random.pick([-1, 1, 7, 2 ** 20, 2 ** 31, 2 ** 40, 2 ** 52]))),
  })),
  toOne((_item, random) => ({ type: random.below(8) })),
  toOne(({ data, type }, random) => ({ header: longHeader(type, data.length, random.below(14)) })),
  toOne(({ data }, random) => ({ stream: oddStream(data, random) })),
  toOne(({ data }, random) => ({ stream: oddStream(data, random) })),
  toOne(({ data }, random) => ({ data: damaged(data, random) })),
  toOne(({ data }, random) => ({ data: damaged(data, random) })),
  toOne(({ data }, random) => ({ data: lyingDelta(data, random) })),
  toOne(({ base }, random) =>
    base ? { base: { bytes: [...random.bytes('entry' in base ? 1 + random.below(3) : 20)] } } : {},
  ),
  toOne(({ base }, random) =>
    base && 'entry' in base
      ? {
          base: {
            bytes: [...Array.from({ length: random.below(14) }, () => 0x80 | random.below(128)), random.below(128)],
          },
        }
      : {},
  ),
  toOne(({ base }, random) => (base && 'entry' in base ? { base: { entry: random.below(8) } } : {})),
]

/** A header with an overlong encoding of a number. */
function longHeader(type: number, size: number, more: number): Buffer {
  const bytes = [...entryHeader(type, size)]
  const last = bytes.pop() ?? 0
  return Buffer.from([...bytes, last | 128, ...Array.from({ length: more }, () => 128), 0])
}

/** Replaces the sizes in a delta by others, in encodings of any length. */
function lyingDelta(data: Buffer, random: Random): Buffer {
  const start = 1 + data.findIndex(byte => byte < 128)
  const size = random.pick([0, 1, 2 ** 20 + 1, 2 ** 31, 2 ** 32, 2 ** 48, 2 ** 53 - 1])
  const lie = random.percent(50)
    ? varint(size)
    : [...Array.from({ length: random.below(14) }, () => 0x80 | random.pick([0, 127])), random.pick([0, 1, 127])]
  return random.percent(50)
    ? Buffer.concat([Buffer.from(lie), data.subarray(start)])
    : Buffer.concat([data.subarray(0, start), Buffer.from(lie), data.subarray(start)])
}

/** Unusual zlib data, valid or invalid. */
function oddStream(data: Buffer, random: Random): Buffer {
  const level = random.below(10)
  const plain = deflateSync(data, { level })
  return random.pick<() => Buffer>([
    () => plain,
    () =>
      deflateSync(data, {
        level,
        strategy: random.pick([constants.Z_HUFFMAN_ONLY, constants.Z_RLE, constants.Z_FIXED, constants.Z_FILTERED]),
      }),
    () => deflateSync(data, { level, windowBits: 9 + random.below(7), memLevel: 1 + random.below(9) }),
    () => deflateSync(data, { level, dictionary: Buffer.from('pack index delta') }),
    () => Buffer.concat([plain, random.bytes(1 + random.below(9))]),
    () => Buffer.concat([plain.subarray(0, -4), random.bytes(4)]),
    () => plain.subarray(0, random.below(plain.length)),
    () =>
      Buffer.concat([
        plain.subarray(0, 2),
        ...Array.from({ length: random.pick([1, 5, 400, 1_000]) }, () => Buffer.from([0, 0, 0, 255, 255])),
        plain.subarray(2),
      ]),
    () => deflateSync(Buffer.concat([data, random.bytes(1 + random.below(3))])),
    () => deflateSync(data.subarray(0, -1)),
    () => Buffer.concat([deflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH }), plain]),
    () => damaged(plain, random),
  ])()
}
