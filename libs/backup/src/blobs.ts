import { Readable } from 'node:stream'
import type { BlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import { readCompressed, writeCompressed } from './files.ts'

const copiesAtOnce = 8

/** Counts of a copy of blobs. */
export interface BlobsCopied {
  copied: number
  bytes: number
}

/** Copies the named blobs that the target has not; those that are gone from the source are passed to `missing`. */
export async function copyBlobs(
  { from, to, missing }: { from: BlobStore; to: BlobStore; missing(hash: string): void },
  hashes: AsyncIterable<string> | Iterable<string>,
): Promise<BlobsCopied> {
  const done: BlobsCopied = { copied: 0, bytes: 0 }
  const source = Readable.from(hashes)
  const copyOne = async (hash: string): Promise<void> => {
    if (await to.has(hash)) return
    const content = await from.get(hash).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return undefined
      throw error
    })
    if (!content) return missing(hash)
    const { hash: copiedHash, size } = await to.put(content.body)
    if (copiedHash !== hash)
      throw new Failure('conflict', `The blob ${hash} is damaged: its content has the hash ${copiedHash}.`)
    done.copied++
    done.bytes += size
  }
  await source.forEach(copyOne, { concurrency: copiesAtOnce })
  return done
}

/** Writes the names of blobs, one in a line; resolves to the SHA-256 of the file. */
export function writeBlobNames(path: string, hashes: Iterable<string>): Promise<string> {
  return writeCompressed(path, Readable.from(lines(hashes)))
}

function* lines(hashes: Iterable<string>): Generator<string> {
  for (const hash of hashes) yield `${hash}\n`
}

/** Reads what `writeBlobNames` wrote. */
export async function readBlobNames(path: string, sha256: string): Promise<string[]> {
  const chunks: Buffer[] = []
  for await (const chunk of readCompressed(path, sha256)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1').split('\n').filter(Boolean)
}
