import type { Commit } from '@recto/git-pack'
import { LRUCache } from 'lru-cache'
import type { Manifest } from '@recto/repository-content'
import type { KnownBlob } from '../files/blob-uploader.ts'

const maxBytes = 32 * 1024 * 1024

/** The result of an import, without the uploaded bundles. */
interface CachedImport {
  commit: Commit
  manifest: Manifest
}

/** A commit of a clone, and the imported folder. */
interface ImportKey {
  gitdir: string
  oid: string
  projectDirectory: string | undefined
}

/** Caches the manifests of recent imports in memory, up to 32 MB of JSON, so that importing an unchanged commit reads none of its files. */
export class ManifestCache {
  readonly #imports = new LRUCache<string, { json: string }>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }) => json.length + 1,
  })

  set(key: ImportKey, { commit, manifest }: CachedImport): void {
    this.#imports.set(keyOf(key), { json: JSON.stringify({ commit, manifest: { ...manifest, bundles: [] } }) })
  }

  /** Returns the cached import of a commit, if content still has all its documents and files. */
  get(key: ImportKey, knownBlobs: KnownBlob[]): CachedImport | undefined {
    const cached = this.#imports.get(keyOf(key))
    if (!cached) return undefined
    const cachedImport = JSON.parse(cached.json) as CachedImport
    return isKnown(cachedImport.manifest, knownBlobs) ? cachedImport : undefined
  }
}

function keyOf({ gitdir, oid, projectDirectory }: ImportKey): string {
  return JSON.stringify([gitdir, oid, projectDirectory])
}

function isKnown({ pages, files, reusableContents }: Manifest, knownBlobs: KnownBlob[]): boolean {
  const documents = new Set(knownBlobs.filter(({ isDocument }) => isDocument).map(({ hash }) => hash))
  const blobs = new Set(knownBlobs.filter(({ isDocument }) => !isDocument).map(({ hash }) => hash))
  return (
    areDocumentsKnown(pages, documents) &&
    reusableContents.every(({ document }) => documents.has(document)) &&
    files.every(({ hash }) => blobs.has(hash))
  )
}

function areDocumentsKnown(pages: Manifest['pages'], documents: ReadonlySet<string>): boolean {
  return pages.every(
    page =>
      (page.type !== 'document' || page.document === undefined || documents.has(page.document)) &&
      (!('pages' in page) || areDocumentsKnown(page.pages, documents)),
  )
}
