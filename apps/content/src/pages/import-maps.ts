import { createHash } from 'node:crypto'
import { unpackBundle, type BlobStore } from '@recto/blobs'
import { ImportManifest } from '@recto/contracts'
import type { Db } from '@recto/database'
import { createId } from '@recto/operation'
import type { z } from 'zod'
import { matchByPath } from '../store/revisions/revisions.rules.ts'
import type { FileRecord, ReusableRecord } from '../store/revisions/records.ts'
import type { RevisionRow } from '../store/revisions/revision.entity.ts'
import { filesOf, pagesOf, reusableOf } from './revision-index.ts'
import * as revisions from '../store/revisions/revisions.repository.ts'
import { build, type NodeHash } from '../store/content-map/content-map.ts'
import { matchPages, type FoundPage } from './match-pages.ts'
import type { PageRecord } from './page-tree.ts'

type Manifest = z.output<typeof ImportManifest>
type ManifestPage = Manifest['pages'][number]
type ManifestCover = NonNullable<Extract<ManifestPage, { type: 'document' }>['cover']>

/** The maps of an import, with the nodes to store. */
export interface ImportedMaps {
  pagesRoot: NodeHash
  filesRoot: NodeHash
  reusableRoot: NodeHash
  nodes: Map<NodeHash, string>
}

/** Documents in memory at once: few, since a page may have megabytes. */
const documentBatch = 16

/** Reads what a worker handed over; throws when it is not a manifest. */
export async function readManifest(blobs: BlobStore, hash: string): Promise<Manifest> {
  const bytes = await blobs.bytes(hash)
  return ImportManifest.parse(JSON.parse(bytes.toString()))
}

/** Takes the documents of an import from the blob store into the database; those that are there already are not read. */
export async function storeDocuments({ db, blobs }: { db: Db; blobs: BlobStore }, manifest: Manifest): Promise<void> {
  const wanted = [
    ...new Set([...documentsOf(manifest.pages), ...manifest.reusableContents.map(({ document }) => document)]),
  ]
  const stored = await revisions.hasDocuments(db, wanted)
  const bundled = new Set(wanted.filter(hash => !stored.has(hash)))
  for (const bundle of manifest.bundles) {
    const documents = takeOut(bundled, await blobs.bytes(bundle))
    await revisions.insertDocuments(db, documents)
  }
  const missing = [...bundled]
  for (let at = 0; at < missing.length; at += documentBatch) {
    const documents = await readAll(blobs, missing.slice(at, at + documentBatch))
    await revisions.insertDocuments(db, documents)
  }
}

/** The documents of a bundle that are still wanted. Their hashes are made here: whoever packed them need not be believed. */
function takeOut(wanted: Set<string>, bundle: Buffer): { hash: string; bytes: Buffer }[] {
  const documents = unpackBundle(bundle).map(bytes => ({
    hash: createHash('sha256').update(bytes).digest('hex'),
    bytes,
  }))
  return documents.filter(({ hash }) => wanted.delete(hash))
}

/** Deletes the bundles of an import whose documents are kept. One that stays is a waste of space, and no fault of the import. */
export async function forgetBundles(blobs: BlobStore, { bundles }: Manifest): Promise<void> {
  await Promise.allSettled(bundles.map(hash => blobs.delete(hash)))
}

/** Makes the maps of an import, with the ids that pages and files had in the revision before. */
export async function mapsOf(db: Db, manifest: Manifest, before: RevisionRow): Promise<ImportedMaps> {
  // In turn: a transaction is one connection.
  const pages = await pagesOf(db, before.pagesRoot)
  const files = await filesOf(db, before.filesRoot)
  const reusable = await reusableOf(db, before.reusableRoot)
  const newFiles = matchByPath<FileRecord>(manifest.files as Omit<FileRecord, 'id'>[], files.inOrder, {
    hashOf: file => file.hash,
    newId: createId,
  })
  const newReusable = matchByPath<ReusableRecord>(manifest.reusableContents, reusable, {
    hashOf: item => item.document,
    newId: createId,
  })
  const fileIds = new Map(newFiles.map(file => [file.git?.path, file.id]))
  const found = manifest.pages.map(page => foundPage(page, fileIds))
  const newPages = matchPages(found, pages.inOrder(), { newId: createId, now: new Date().toISOString() })
  const built = [newPages, newFiles, newReusable].map(records =>
    build((records as (PageRecord | FileRecord | ReusableRecord)[]).map(record => [record.id, record])),
  )
  const [pagesRoot = '', filesRoot = '', reusableRoot = ''] = built.map(({ root }) => root)
  return { pagesRoot, filesRoot, reusableRoot, nodes: new Map(built.flatMap(({ nodes }) => [...nodes])) }
}

async function readAll(blobs: BlobStore, hashes: string[]): Promise<{ hash: string; bytes: Buffer }[]> {
  return Promise.all(hashes.map(async hash => ({ hash, bytes: await blobs.bytes(hash) })))
}

function documentsOf(pages: ManifestPage[]): string[] {
  return pages.flatMap(page => {
    const own = page.type === 'document' && page.document !== undefined ? [page.document] : []
    return 'pages' in page ? [...own, ...documentsOf(page.pages)] : own
  })
}

function foundPage(page: ManifestPage, fileIds: Map<string | undefined, string>): FoundPage {
  const pages = 'pages' in page ? page.pages.map(child => foundPage(child, fileIds)) : []
  const cover = 'cover' in page && page.cover ? { cover: coverOf(page.cover, fileIds) } : {}
  return { ...page, ...cover, pages } as FoundPage
}

/** Images of a cover that are files of the repository become references to them. */
function coverOf(cover: ManifestCover, fileIds: Map<string | undefined, string>): Record<string, unknown> {
  const { path, pathDark, ...rest } = cover
  const reference = (name: 'ref' | 'refDark', of: string | undefined) => {
    const file = of === undefined ? undefined : fileIds.get(of)
    return file === undefined ? {} : { [name]: { kind: 'file', file } }
  }
  return { ...rest, ...reference('ref', path), ...reference('refDark', pathDark) }
}
