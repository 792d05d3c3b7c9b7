import { withTrailer } from '../packs.ts'
import type { CorpusPack } from './corpus.ts'
import { damaged } from './mutations.ts'
import type { Random } from './random.ts'

/** A pack index and the size of its pack. */
export interface IndexInput {
  bytes: Buffer
  packBytes: number
}

interface Parts {
  names: Buffer[]
  crcs: number[]
  offsets: number[]
  large: bigint[]
}

/** Generates an index: from native git or written here; intact, with false values, or damaged. */
export function anIndex(random: Random, corpus: readonly CorpusPack[]): IndexInput {
  const pack = random.pick(corpus)
  const native = random.percent(15) && pack.indexes.length > 0
  const whole = native ? { bytes: random.pick(pack.indexes), packBytes: pack.bytes.length } : anyIndex(random)
  if (random.percent(50)) return whole
  const body = damaged(whole.bytes.subarray(0, -20), random)
  return { ...whole, bytes: random.percent(85) ? withTrailer(body) : damaged(whole.bytes, random) }
}

function anyIndex(random: Random): IndexInput {
  const count = random.below(random.percent(5) ? 300 : 12)
  const heads = random.percent(30) ? [random.below(256)] : Array.from({ length: 256 }, (_, at) => at)
  const names = Array.from({ length: count }, () =>
    Buffer.concat([Buffer.from([random.pick(heads)]), random.bytes(19)]),
  ).sort(Buffer.compare)
  const far = random.percent(40) ? 2 ** 31 : 1
  const starts = names.map((_, at) => 12 + at * (20 + random.below(20)) * far + (far > 1 ? random.below(1_000) : 0))
  const packBytes = 20 + Math.max(12, ...starts.map(start => start + 10))
  const shuffled = starts
    .map(start => ({ start, key: random.below(1e6) }))
    .sort((a, b) => a.key - b.key)
    .map(({ start }) => start)
  const parts: Parts = { names, crcs: names.map(() => random.below(2 ** 32)), offsets: [], large: [] }
  for (const start of shuffled) {
    // The format allows small offsets in the large table.
    if (start < 2 ** 31 && !random.percent(far > 1 ? 10 : 2)) parts.offsets.push(start)
    else parts.offsets.push(2 ** 31 + parts.large.push(BigInt(start)) - 1)
  }
  const lies = random.percent(35) ? random.pick(liesOfParts) : () => undefined
  lies(parts, random)
  return {
    bytes: encodeParts(parts, random),
    packBytes: random.percent(4) ? Math.max(32, packBytes - random.below(60)) : packBytes,
  }
}

const liesOfParts: readonly ((parts: Parts, random: Random) => void)[] = [
  ({ names }, random) => void (names.length > 1 && names.reverse() && random),
  ({ names }, random) => void (names.length > 0 && names.splice(random.below(names.length), 1, random.bytes(20))),
  ({ names }, random) => void (names.length > 1 && names.splice(1, 1, names[0] ?? random.bytes(20))),
  ({ offsets }, random) =>
    void (offsets.length > 0 && offsets.splice(random.below(offsets.length), 1, random.below(2 ** 32))),
  ({ offsets }, random) =>
    void (offsets.length > 0 && offsets.splice(random.below(offsets.length), 1, random.below(40))),
  ({ offsets }, random) => void (offsets.length > 1 && offsets.splice(0, 1, random.pick(offsets))),
  ({ offsets }, random) =>
    void (offsets.length > 0 && offsets.splice(random.below(offsets.length), 1, 2 ** 31 + random.below(4))),
  ({ large }, random) =>
    void (large.length > 0 && large.splice(random.below(large.length), 1, random.bytes(8).readBigUInt64BE())),
  ({ large }, random) => void large.push(BigInt(random.below(1_000))),
  ({ large }) => void large.pop(),
]

function encodeParts({ names, crcs, offsets, large }: Parts, random: Random): Buffer {
  const words = (values: readonly number[]) => {
    const bytes = Buffer.alloc(values.length * 4)
    values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4))
    return bytes
  }
  const counts = Array.from({ length: 256 }, (_, first) => names.filter(name => (name[0] ?? 0) <= first).length)
  if (random.percent(4)) counts[random.below(256)] = random.below(names.length + 2)
  const version = random.percent(2) ? random.below(4) : 2
  const larger = large.map(value => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(value)
    return bytes
  })
  return withTrailer(
    Buffer.concat([
      Buffer.from('\xfftOc', 'latin1'),
      words([version, ...counts]),
      ...names,
      words(crcs),
      words(offsets),
      ...larger,
      random.bytes(20),
    ]),
  )
}
