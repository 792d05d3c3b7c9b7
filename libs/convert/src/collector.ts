import { detectContentType, dimensionsOf, sniffedBytes } from './content-type.ts'
import { ConvertFailure } from './convert-failure.ts'
import type { ConvertedFile, ConvertedPage, ConvertedSet, ConvertWarning } from './model.ts'
import type { ConvertTools } from './tools.ts'
import { baseName, cleanName, joinPath, uniqueNames } from './paths.ts'

/** Where images of pages go. */
export const assetsFolder = '.gitbook/assets'

const maxWarnings = 200
const extensions: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/svg+xml': '.svg',
  'application/pdf': '.pdf',
}

/** Collects the parts of a set, within the limits of a conversion. */
export class Collector {
  readonly tools: ConvertTools
  readonly files: ConvertedFile[] = []
  readonly #warnings: ConvertWarning[] = []
  readonly #assetNames = uniqueNames()
  #unsaid = 0
  #bytes = 0
  #done = 0
  #total = 0

  constructor(tools: ConvertTools) {
    this.tools = tools
  }

  /** Bytes that may still be read. */
  get bytesLeft(): number {
    return this.tools.limits.maxBytes - this.#bytes
  }

  /** Pages and files that are known so far. */
  get total(): number {
    return this.#total
  }

  /** Counts bytes that were read; throws `too_large` above the limit. */
  spend(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.tools.limits.maxBytes)
      throw new ConvertFailure('too_large', `The content is larger than ${this.tools.limits.maxBytes} bytes`)
  }

  /** Counts pages or files that were found. */
  expect(count: number): void {
    this.#total += count
    this.tools.report?.({ done: this.#done, total: this.#total })
  }

  /** Counts pages or files that are in the set. */
  done(count = 1): void {
    this.#done += count
    this.tools.report?.({ done: this.#done, total: this.#total })
  }

  warn(path: string, message: string): void {
    if (this.#warnings.length < maxWarnings) this.#warnings.push({ path, message })
    else this.#unsaid += 1
  }

  /** Stores bytes as a file of the set, unless there is one of this path; its type and dimensions are what the bytes say. */
  async addFile(path: string, bytes: Uint8Array): Promise<ConvertedFile> {
    const existingFile = this.files.find(file => file.path === path)
    if (existingFile) return existingFile
    const head = bytes.subarray(0, sniffedBytes)
    const { hash, size } = await this.tools.storeFile(bytes)
    return this.#push({ path, hash, size, head })
  }

  /** Stores the images that were part of a page; throws `too_large` when that are too many. */
  async addEmbedded(files: { path: string; bytes: Uint8Array }[]): Promise<void> {
    const { signal, limits } = this.tools
    if (files.length > 0 && this.#done + files.length > limits.maxFiles)
      throw new ConvertFailure(
        'too_large',
        `There are more than ${limits.maxFiles} pages and files with the images in it`,
      )
    this.expect(files.length)
    for (const { path, bytes } of files) {
      signal?.throwIfAborted()
      await this.addFile(path, bytes)
      this.done()
    }
  }

  /** Stores a stream as a file of the set. */
  async addStream(path: string, source: AsyncIterable<Uint8Array>): Promise<ConvertedFile> {
    const heads: Uint8Array[] = []
    const spend = (bytes: number) => this.spend(bytes)
    async function* measured() {
      let size = 0
      for await (const chunk of source) {
        spend(chunk.byteLength)
        if (size < sniffedBytes) heads.push(chunk)
        size += chunk.byteLength
        yield chunk
      }
    }
    const { hash, size } = await this.tools.storeFile(measured())
    return this.#push({ path, hash, size, head: Buffer.concat(heads).subarray(0, sniffedBytes) })
  }

  /** A free path for an image, with an extension that fits its type. */
  assetPath(name: string, contentType: string): string {
    const clean = cleanName(name, 'image')
    const hasExtension = /\.[a-z0-9]{2,5}$/i.test(clean)
    return joinPath(assetsFolder, this.#assetNames(hasExtension ? clean : `${clean}${extensions[contentType] ?? ''}`))
  }

  /** The set with these pages. */
  set(pages: ConvertedPage[]): ConvertedSet {
    const warnings = [...this.#warnings]
    if (this.#unsaid > 0) warnings.push({ path: '', message: `There are ${this.#unsaid} more warnings` })
    return { pages, files: this.files, warnings, total: this.#total, imported: this.#done }
  }

  async #push({ path, hash, size, head }: { path: string; hash: string; size: number; head: Uint8Array }) {
    const contentType = await detectContentType(head, path)
    const dimensions = dimensionsOf(head, contentType)
    const file = { path, name: baseName(path), hash, size, contentType, ...(dimensions && { dimensions }) }
    this.files.push(file)
    return file
  }
}
