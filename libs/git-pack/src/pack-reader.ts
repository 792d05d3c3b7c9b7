import { finished } from 'node:stream/promises'
import { constants, createInflate, inflateSync, type Inflate, type ZlibOptions } from 'node:zlib'
import { GitPackError, invalidPack } from './git-pack-error.ts'
import { maxHeader, readEntryHeader, type EntryHeader } from './pack-entry.ts'

/** The bytes of a pack: a file or a buffer. */
export interface PackSource {
  /** The size of the pack in bytes. */
  readonly bytes: number
  /** Reads from `position` into the target; resolves to the number of bytes read, which may be fewer than requested. */
  read(target: Uint8Array, position: number): Promise<number>
}

interface InflateOptions {
  end?: number
  signal?: AbortSignal | undefined
}

/** Inflated data, and the number of compressed bytes consumed. */
interface Inflated {
  data: Buffer
  consumed: number
}

/** Reads a pack through a window of `readAhead` bytes, so that memory use does not depend on the size of the pack. */
export class PackReader {
  readonly bytes: number
  readonly #source: PackSource
  readonly #ahead: number
  #window: { start: number; data: Buffer } = { start: 0, data: Buffer.alloc(0) }

  constructor(source: PackSource, options: { readAhead?: number } = {}) {
    this.#source = source
    this.bytes = source.bytes
    this.#ahead = options.readAhead ?? 0
  }

  /** Reads at least `length` bytes from `offset`, or up to the end of the pack. */
  async at(offset: number, length: number): Promise<Buffer> {
    const { start, data } = this.#window
    const readLength = Math.max(0, Math.min(length, this.bytes - offset))
    if (offset >= start && offset + readLength <= start + data.length) return data.subarray(offset - start)
    if (readLength === 0) return Buffer.alloc(0)
    const fresh = await this.#read(offset, Math.min(Math.max(readLength, this.#ahead), this.bytes - offset))
    // A read larger than the window is not cached: it is needed once.
    if (fresh.length <= this.#ahead) this.#window = { start: offset, data: fresh }
    return fresh
  }

  async #read(offset: number, length: number): Promise<Buffer> {
    const target = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const read = await this.#source.read(target.subarray(filled), offset + filled)
      if (read === 0) break
      filled += read
    }
    return target.subarray(0, filled)
  }

  async headerAt(offset: number): Promise<EntryHeader> {
    return readEntryHeader((await this.at(offset, maxHeader)).subarray(0, maxHeader))
  }

  /** Inflates `size` bytes of data that start at `offset`. `end` bounds the compressed bytes where it is known. */
  async inflate(offset: number, size: number, { end, signal }: InflateOptions = {}): Promise<Inflated> {
    const length = end === undefined ? size + (size >> 9) + 1_024 : end - offset
    const input = await this.at(offset, length)
    const whole = inflateWhole(end === undefined ? input : input.subarray(0, length), size)
    if (whole) return whole
    if (end !== undefined || offset + input.length >= this.bytes) throw invalidPack('data that is cut off')
    // A valid zlib stream can be longer than its data.
    const chunks: Buffer[] = []
    const consumed = await this.#stream(offset, size, { signal, onData: chunk => chunks.push(chunk) })
    return { data: Buffer.concat(chunks), consumed }
  }

  /** Inflates the first bytes of the data at `offset`, enough for a delta's header. */
  async peek(offset: number, end: number): Promise<Buffer> {
    const input = (await this.at(offset, Math.min(256, end - offset))).subarray(0, 256)
    try {
      return inflateSync(input, { finishFlush: constants.Z_SYNC_FLUSH })
    } catch {
      throw invalidPack('data that cannot be inflated')
    }
  }

  /** Inflates the first bytes of the data at `offset`: `most` of them, or all when there are fewer. */
  async inflateStart(offset: number, most: number): Promise<Buffer> {
    const inflate = createInflate()
    const chunks: Buffer[] = []
    let seen = 0
    void this.#feed(inflate, offset)
    try {
      // Leaving the loop destroys the stream.
      for await (const chunk of inflate as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        seen += chunk.length
        if (seen >= most) break
      }
    } catch (error) {
      throw inflateError(error)
    }
    return Buffer.concat(chunks).subarray(0, most)
  }

  /** Resolves to the compressed length of the data at an offset, which is inflated and discarded. */
  skip(offset: number, size: number, signal?: AbortSignal): Promise<number> {
    return this.#stream(offset, size, { signal, onData: () => undefined })
  }

  async #stream(
    offset: number,
    size: number,
    { signal, onData }: { signal: AbortSignal | undefined; onData(chunk: Buffer): void },
  ): Promise<number> {
    const inflate = createInflate()
    let seen = 0
    inflate.on('data', (chunk: Buffer) => {
      seen += chunk.length
      if (seen > size) inflate.destroy(invalidPack('more data than it declares'))
      else onData(chunk)
    })
    void this.#feed(inflate, offset)
    try {
      await finished(inflate, { writable: false, ...(signal && { signal }) })
    } catch (error) {
      signal?.throwIfAborted()
      throw inflateError(error)
    } finally {
      inflate.destroy()
    }
    if (seen < size) throw invalidPack('less data than it declares')
    return inflate.bytesWritten
  }

  /** Ends the stream at the end of the pack, so that truncated data is an error instead of an endless wait. */
  async #feed(inflate: Inflate, start: number): Promise<void> {
    try {
      for (let offset = start; !inflate.readableEnded && !inflate.destroyed;) {
        const chunk = await this.at(offset, 65_536)
        if (chunk.length === 0) return void inflate.end()
        offset += chunk.length
        await new Promise<void>(resolve => inflate.write(chunk, () => resolve()))
      }
    } catch (error) {
      inflate.destroy(error as Error)
    }
  }
}

function inflateError(error: unknown): unknown {
  return (error as { code?: string }).code?.startsWith('Z_') ? invalidPack('data that cannot be inflated') : error
}

/** Inflates in one step; undefined when the input ends before the data does. */
function inflateWhole(input: Buffer, size: number): Inflated | undefined {
  try {
    // A buffer one byte larger than the data lets zlib see the end of the stream in a single pass.
    const options: ZlibOptions = { info: true, maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) }
    const { buffer, engine } = inflateSync(input, options) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (buffer.length !== size) throw invalidPack('data of another size than it declares')
    return { data: buffer, consumed: engine.bytesWritten }
  } catch (error) {
    if ((error as { code?: string }).code === 'Z_BUF_ERROR') return undefined
    throw error instanceof GitPackError ? error : invalidPack('data that cannot be inflated')
  }
}
