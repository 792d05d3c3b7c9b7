import { unpackBundle, type BlobStore } from '@recto/blobs'
import { ImportManifest } from '@recto/contracts-git-worker-bus'
import type { Db } from '@recto/database'
import type { z } from 'zod'
import { findStoredHashes, insertDocuments } from '../content-store/content.repository.ts'
import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import type { ContentRef } from '../garbage/garbage.rules.ts'
import { batches } from '../lists/batches.ts'

/** The result of an import. */
export type Manifest = z.output<typeof ImportManifest>
type ManifestPage = Manifest['pages'][number]

/** Documents in memory at once; few, since a page can have megabytes. */
const documentBatch = 16

/** Reads the manifest that a worker stored; throws when it is invalid. */
export async function readManifest(blobs: BlobStore, hash: string): Promise<Manifest> {
  const bytes = await blobs.bytes(hash)
  return ImportManifest.parse(JSON.parse(bytes.toString()))
}

/** The stored content of an import, which nothing references when it makes no revision. */
export function contentOf({ pages, reusableContents, files }: Manifest): ContentRef[] {
  const documents = [...documentsOf(pages), ...reusableContents.map(({ document }) => document)]
  return [
    ...documents.map(hash => ({ kind: 'document' as const, hash })),
    ...files.map(({ hash }) => ({ kind: 'blob' as const, hash })),
  ]
}

/** Copies the documents of an import from the blob store to the database; those that are stored already are not read. */
export async function storeDocuments({ db, blobs }: { db: Db; blobs: BlobStore }, manifest: Manifest): Promise<void> {
  const hashes = [...new Set(contentOf(manifest).flatMap(({ kind, hash }) => (kind === 'document' ? hash : [])))]
  const storedHashes = await findStoredHashes(db, hashes)
  const missingHashes = new Set(hashes.filter(hash => !storedHashes.has(hash)))
  for (const bundle of manifest.bundles) {
    const documents = takeDocuments(missingHashes, await blobs.bytes(bundle))
    await insertDocuments(db, documents)
  }
  for (const hashes of batches([...missingHashes], documentBatch))
    await insertDocuments(db, await readAll(blobs, hashes))
}

/** The documents of a bundle that are still missing. Their hashes are computed here, so that the packer need not be trusted. */
function takeDocuments(missingHashes: Set<string>, bundle: Buffer): NewDocument[] {
  return unpackBundle(bundle)
    .map(newDocument)
    .filter(({ hash }) => missingHashes.delete(hash))
}

/** Deletes the bundles of an import, whose documents are stored. Never throws: a bundle that stays only wastes space. */
export async function deleteBundles(blobs: BlobStore, { bundles }: Manifest): Promise<void> {
  await Promise.allSettled(bundles.map(hash => blobs.delete(hash)))
}

async function readAll(blobs: BlobStore, hashes: string[]): Promise<NewDocument[]> {
  return Promise.all(hashes.map(async hash => ({ hash, bytes: await blobs.bytes(hash) })))
}

function documentsOf(pages: ManifestPage[]): string[] {
  return pages.flatMap(page => {
    const own = page.type === 'document' && page.document !== undefined ? [page.document] : []
    return 'pages' in page ? [...own, ...documentsOf(page.pages)] : own
  })
}
