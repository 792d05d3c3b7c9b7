import type { Random } from './random.ts'

/** Applies one random mutation that imitates corruption, truncation or forgery. */
export function damaged(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return random.bytes(random.below(40))
  return random.pick(ways)(Buffer.from(bytes), random)
}

const ways: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  flipBits,
  flipBits,
  flipBits,
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => Buffer.concat([bytes, random.bytes(1 + random.below(40))]),
  (bytes, random) => {
    const { start, end } = rangeOf(bytes, random)
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
  },
  (bytes, random) => {
    const { start, end } = rangeOf(bytes, random)
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
  },
  (bytes, random) => {
    const { start, end } = rangeOf(bytes, random)
    return Buffer.concat([bytes.subarray(0, start), random.bytes(end - start), bytes.subarray(end)])
  },
  (bytes, random) => {
    const { start, end } = rangeOf(bytes, random)
    return bytes.fill(random.pick([0, 0x80, 0xff]), start, end)
  },
  (bytes, random) => {
    const { start, end } = rangeOf(bytes, random)
    return Buffer.concat([
      bytes.subarray(0, start),
      random.bytes(random.below(8)),
      bytes.subarray(start, end),
      bytes.subarray(end),
    ])
  },
]

function flipBits(bytes: Buffer, random: Random): Buffer {
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
  }
  return bytes
}

/** A random length: mostly short, sometimes the maximum. */
function rangeOf(bytes: Buffer, random: Random): { start: number; end: number } {
  const start = random.below(bytes.length)
  const longest = random.percent(80) ? Math.min(30, bytes.length - start) : bytes.length - start
  return { start, end: start + 1 + random.below(longest) }
}
