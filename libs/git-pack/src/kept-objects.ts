import type { ObjectType } from './pack-entry.ts'

/** An object that was made, and may be the base of others. */
export interface KeptObject {
  type: ObjectType
  data: Buffer
}

/** Objects by their offset, up to a number of bytes; the last one is kept whatever its size, and the oldest go first. */
export class KeptObjects {
  readonly #maxBytes: number
  readonly #objects = new Map<number, KeptObject>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(offset: number): KeptObject | undefined {
    return this.#objects.get(offset)
  }

  /** Keeps an object that is not kept yet. */
  add(offset: number, object: KeptObject): void {
    this.#objects.set(offset, object)
    this.#bytes += object.data.length
    for (const [oldest, { data }] of this.#objects) {
      if (this.#bytes <= this.#maxBytes || oldest === offset) break
      this.#objects.delete(oldest)
      this.#bytes -= data.length
    }
  }
}
