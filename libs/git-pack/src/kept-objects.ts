import type { ObjectType } from './pack-entry.ts'

/** A resolved object, which may be the base of deltas. */
export interface KeptObject {
  type: ObjectType
  data: Buffer
}

/** A cache of objects by offset, bounded in bytes; the oldest are evicted first, and the newest is kept whatever its size. */
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

  /** Adds an object, which must not be cached yet, and evicts the oldest over the limit. */
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
