import { open, type FileHandle } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { constants, createInflate, inflateSync, type Inflate, type ZlibOptions } from 'node:zlib'
import { invalidPack } from './git-pack-error.ts'
import { maxHeader, readEntryHeader, type EntryHeader } from './pack-entry.ts'

/** Bytes to read ahead where a pack is read from front to back. */
export const readAhead = 4 * 1024 * 1024

/** Inflated data and how many bytes of the pack it came from. */
interface Inflated {
  data: Buffer
  consumed: number
}

/** Reads a pack from disk through a window, so that its size does not matter for memory. */
export class PackReader {
  readonly #file: FileHandle
  readonly bytes: number
  #window: { start: number; data: Buffer } = { start: 0, data: Buffer.alloc(0) }

  readonly #ahead: number

  private constructor(file: FileHandle, bytes: number, ahead: number) {
    this.#file = file
    this.bytes = bytes
    this.#ahead = ahead
  }

  static async open(path: string, ahead = 0): Promise<PackReader> {
    const file = await open(path, 'r')
    return new PackReader(file, (await file.stat()).size, ahead)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** At least `length` bytes from `offset`, or what there is before the end of the file. */
  async at(offset: number, length: number): Promise<Buffer> {
    const { start, data } = this.#window
    const wanted = Math.min(length, this.bytes - offset)
    if (offset >= start && offset + wanted <= start + data.length) return data.subarray(offset - start)
    const fresh = Buffer.allocUnsafe(Math.max(0, Math.min(Math.max(length, this.#ahead), this.bytes - offset)))
    const { bytesRead } = await this.#file.read(fresh, 0, fresh.length, offset)
    // What is read once and is larger than the window is not kept.
    if (fresh.length <= this.#ahead) this.#window = { start: offset, data: fresh.subarray(0, bytesRead) }
    return fresh.subarray(0, bytesRead)
  }

  async headerAt(offset: number): Promise<EntryHeader> {
    return readEntryHeader((await this.at(offset, maxHeader)).subarray(0, maxHeader))
  }

  /** Inflates `size` bytes of data that start at `offset`. `end` bounds the compressed bytes where it is known. */
  async inflate(offset: number, size: number, end?: number): Promise<Inflated> {
    const guess = end === undefined ? size + (size >> 9) + 1_024 : end - offset
    const first = inflateWhole(await this.at(offset, guess), size)
    if (first) return first
    // An odd compressor can need more room than it saves: try once more with twice as much.
    const second = inflateWhole(await this.at(offset, guess * 2 + readAhead), size)
    if (!second) throw invalidPack('data that cannot be inflated')
    return second
  }

  /** The first bytes of the data at `offset`, enough for what a delta declares. */
  async peek(offset: number, end: number): Promise<Buffer> {
    const input = (await this.at(offset, Math.min(256, end - offset))).subarray(0, 256)
    try {
      return inflateSync(input, { finishFlush: constants.Z_SYNC_FLUSH })
    } catch {
      throw invalidPack('data that cannot be inflated')
    }
  }

  /** The length of compressed data, without keeping what it holds. */
  async skip(offset: number, size: number, signal?: AbortSignal): Promise<number> {
    const inflate = createInflate()
    let seen = 0
    inflate.on('data', (chunk: Buffer) => {
      seen += chunk.length
      if (seen > size) inflate.destroy(invalidPack('more data than it declares'))
    })
    void this.#feed(inflate, offset)
    try {
      await finished(inflate, { writable: false, ...(signal && { signal }) })
    } catch (error) {
      signal?.throwIfAborted()
      throw (error as { code?: string }).code?.startsWith('Z_') ? invalidPack('data that cannot be inflated') : error
    } finally {
      inflate.destroy()
    }
    if (seen < size) throw invalidPack('less data than it declares')
    return inflate.bytesWritten
  }

  /** Ends the stream where the file ends: data that is cut off is an error then, and not waited for. */
  async #feed(inflate: Inflate, start: number): Promise<void> {
    try {
      for (let offset = start; !inflate.readableEnded && !inflate.destroyed; ) {
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

/** Inflates in one step; undefined when the input ends before the data does. */
function inflateWhole(input: Buffer, size: number): Inflated | undefined {
  try {
    // A buffer one byte larger than the data lets zlib see the end of the stream in a single pass.
    const options: ZlibOptions = { info: true, maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) }
    const { buffer, engine } = inflateSync(input, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    return buffer.length === size ? { data: buffer, consumed: engine.bytesWritten } : undefined
  } catch (error) {
    if ((error as { code?: string }).code === 'Z_BUF_ERROR') return undefined
    throw invalidPack('data that cannot be inflated')
  }
}
