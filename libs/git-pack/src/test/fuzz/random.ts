import { createHash } from 'node:crypto'

/** A seeded pseudorandom generator (sfc32), so that every input can be reproduced. */
export class Random {
  readonly #state: Uint32Array

  constructor(...seed: readonly (string | number)[]) {
    const hash = createHash('sha256').update(seed.join('/')).digest()
    this.#state = Uint32Array.from([0, 4, 8, 12], at => hash.readUInt32LE(at))
  }

  /** An integer from 0 (inclusive) to `limit` (exclusive, at most 2^32). */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit)
  }

  /** True with this probability in percent. */
  percent(chance: number): boolean {
    return this.below(100) < chance
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)]
    if (picked === undefined) throw new Error('There is nothing to pick from')
    return picked
  }

  bytes(length: number): Buffer {
    return Buffer.from(Uint8Array.from({ length }, () => this.below(256)))
  }

  /** Compressible text that shares words with other generated text. */
  text(length: number): Buffer {
    const words = ['pack ', 'index ', 'delta ', 'object\n', 'tree ', 'a', '\n']
    let text = ''
    while (text.length < length) text += this.pick(words)
    return Buffer.from(text.slice(0, length))
  }

  #next(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#state
    const next = (a + b + d) >>> 0
    this.#state.set([
      (b ^ (b >>> 9)) >>> 0,
      (c + (c << 3)) >>> 0,
      (((c << 21) | (c >>> 11)) + next) >>> 0,
      (d + 1) >>> 0,
    ])
    return next
  }
}
