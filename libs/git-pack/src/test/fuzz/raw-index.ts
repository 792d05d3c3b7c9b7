import { createHash } from 'node:crypto'

/** Reads the raw fields of a version 2 index without validation, to recognise the intended differences from git. */
export class RawIndex {
  readonly #bytes: Buffer
  readonly count: number

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.count = bytes.readUInt32BE(1_028)
  }

  get names(): Buffer[] {
    return Array.from({ length: this.count }, (_, at) => this.#bytes.subarray(1_032 + at * 20, 1_052 + at * 20))
  }

  /** The table of small offsets, including references to large ones. */
  get offsets(): number[] {
    return Array.from({ length: this.count }, (_, at) => this.#bytes.readUInt32BE(1_032 + this.count * 24 + at * 4))
  }

  /** The positions of the referenced large offsets, in the order of the names. */
  get references(): number[] {
    return this.offsets.filter(offset => offset >= 2 ** 31).map(offset => offset - 2 ** 31)
  }

  /** The size of the table of large offsets in bytes. */
  get largeBytes(): number {
    return this.#bytes.length - 1_072 - this.count * 28
  }

  /** The offsets of entries; undefined where one is missing. */
  get starts(): (number | undefined)[] {
    const large = (at: number) =>
      at * 8 + 8 <= this.largeBytes ? Number(this.#bytes.readBigUInt64BE(1_032 + this.count * 28 + at * 8)) : undefined
    return this.offsets.map(offset => (offset < 2 ** 31 ? offset : large(offset - 2 ** 31)))
  }

  /** The fan-out value of a byte: the declared number of names whose first byte is at most this. */
  counted(first: number): number {
    return this.#bytes.readUInt32BE(8 + first * 4)
  }

  get isSound(): boolean {
    return createHash('sha1').update(this.#bytes.subarray(0, -20)).digest().equals(this.#bytes.subarray(-20))
  }
}
