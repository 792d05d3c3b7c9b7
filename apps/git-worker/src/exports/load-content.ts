import { unpackBundle } from '@recto/blobs'
import type { ContentReader } from '@recto/repository-export'

/** The blob store, as an export uses it. */
export interface ReadableBlobs {
  bytes(hash: string): Promise<Buffer>
  delete(hash: string): Promise<void>
}

const documentsPerCall = 500

/** Reads content through bundles of documents that content stores on request. */
export function contentReader(
  blobs: ReadableBlobs,
  bundle: (documents: string[]) => Promise<{ bundle: string; count: number }>,
): ContentReader {
  return {
    file: hash => blobs.bytes(hash),
    async documents(hashes, use) {
      for (let at = 0; at < hashes.length;) {
        const batch = hashes.slice(at, at + documentsPerCall)
        const { bundle: hash, count } = await bundle(batch)
        const documents = unpackBundle(await blobs.bytes(hash))
        for (const [index, bytes] of documents.entries()) await use(batch[index] ?? '', bytes)
        // A bundle that cannot be deleted only wastes space.
        await blobs.delete(hash).catch(() => undefined)
        at += Math.max(1, count)
      }
    },
  }
}
