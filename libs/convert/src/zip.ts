import type { Readable } from 'node:stream'
import { open, type Entry, type ZipFile } from 'yauzl'
import { type Archive, convertArchive } from './archive.ts'
import { Collector } from './collector.ts'
import { ConvertFailure } from './convert-failure.ts'
import type { ConvertedSet } from './model.ts'
import type { ConvertTools } from './tools.ts'

/** Limits of a zip file besides those of the conversion. */
const maxRatio = 200
/** Bytes below which the ratio does not matter. */
const harmlessBytes = 10 * 1024 * 1024
const symlink = 0o120000
const fileKind = 0o170000

/** Converts the pages and files of a zip file. */
export async function convertZipUrl(url: string, tools: ConvertTools): Promise<ConvertedSet> {
  const path = await tools.download(url, { maxBytes: tools.limits.maxBytes })
  const collector = new Collector(tools)
  return withZip(path, collector, archive => convertArchive(archive, collector))
}

/** Opens a zip file for the time of some work. Entries that lead out of it, or too much of them, are refused before anything is read. */
export async function withZip<T>(
  path: string,
  collector: Collector,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const zip = await openZip(path)
  try {
    const entries = await entriesOf(zip, collector)
    const find = (name: string): Entry => {
      const entry = entries.get(name)
      if (!entry) throw new ConvertFailure('invalid', `There is no ${name} in the zip file`)
      return entry
    }
    return await work({
      paths: [...entries.keys()],
      stream: async name => bounded(await contentOf(zip, find(name)), find(name)),
      read: async (name, maxBytes) => collect(bounded(await contentOf(zip, find(name)), find(name)), maxBytes),
    })
  } finally {
    zip.close()
  }
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(
      path,
      { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true },
      (error, zip) => (error ? reject(invalid(error)) : resolve(zip)),
    )
  })
}

const invalid = (error: Error) =>
  new ConvertFailure('invalid', `The zip file cannot be read: ${error.message}`, { cause: error })

/** The files of a zip by path. */
function entriesOf(zip: ZipFile, collector: Collector): Promise<Map<string, Entry>> {
  const { maxFiles } = collector.tools.limits
  const entries = new Map<string, Entry>()
  return new Promise((resolve, reject) => {
    let count = 0
    zip.on('error', error => reject(invalid(error)))
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: Entry) => {
      count += 1
      if (count > maxFiles * 4 || entries.size > maxFiles) {
        reject(new ConvertFailure('too_large', `The zip file holds more than ${maxFiles} files`))
        return
      }
      const reason = reasonToSkip(entry, entries)
      if (reason !== undefined) collector.warn(entry.fileName, reason)
      else if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

function reasonToSkip(entry: Entry, entries: Map<string, Entry>): string | undefined {
  if (((entry.externalFileAttributes >>> 16) & fileKind) === symlink) return 'It is a symbolic link and was left out'
  if (entry.isEncrypted()) return 'It is encrypted and was left out'
  if (entries.has(entry.fileName)) return 'Another file of this name came before; this one was left out'
  return undefined
}

function contentOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(invalid(error))
      // It reads at once: a fault that comes before anyone listens must wait for the reader, and not end the process.
      else resolve(stream.on('error', fault => stream.destroy(fault)))
    })
  })
}

/** The bytes of an entry as they are decompressed, as long as they are plausible: headers can lie. */
async function* bounded(stream: Readable, entry: Entry): AsyncGenerator<Uint8Array> {
  let size = 0
  const most = Math.max(harmlessBytes, entry.compressedSize * maxRatio)
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).byteLength
      if (size > most)
        throw new ConvertFailure('too_large', `${entry.fileName} grows to more than ${maxRatio} times its size`)
      yield chunk as Buffer
    }
  } catch (error) {
    throw error instanceof ConvertFailure ? error : invalid(error as Error)
  } finally {
    stream.destroy()
  }
}

async function collect(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.byteLength
    if (size > maxBytes) throw new ConvertFailure('too_large', `It is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
