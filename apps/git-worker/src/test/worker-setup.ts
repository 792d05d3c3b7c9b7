import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBlobStore, unpackBundle, type BlobStore } from '@recto/blobs'
import { ImportManifest } from '@recto/contracts-git-worker-bus'
import { createOutgoing } from '@recto/outgoing'
import { aGitServer, aRepository, type Change, type GitServer, type TestRepository, removeFolder } from '@recto/testing'
import type { z } from 'zod'
import { CloneCache } from '../clones/clone-cache.ts'
import { importRepository, type ImportRequest, type ImportTools } from '../imports/import-repository.ts'
import { type Warning, defaultLimits, type Limits } from '@recto/repository-content'

export type ReadManifest = z.output<typeof ImportManifest>

/** A git server with one repository, a clone cache and a blob store, in temporary folders. */
export interface Setup {
  repository: TestRepository
  server: GitServer
  blobs: BlobStore
  folder: string
  cache: CloneCache
  warnings: Warning[]
  tools: ImportTools & { blobs: BlobStore }
  run(
    request?: Partial<ImportRequest>,
    limits?: Partial<Limits>,
  ): Promise<{ commit: { oid: string; message: string; ref: string }; manifest: ReadManifest }>
  /** A document uploaded by a run. */
  text(hash: string | undefined): string
  clones(): Promise<string[]>
  stop(): Promise<void>
}

interface SetupOptions {
  change?: Change & { branch?: string }
  /** A bare repository to serve instead of one created from `change`. */
  path?: string
  auth?: { username: string; password: string }
  allow?: string
  maxCacheBytes?: number
  /** Whether the server lets clients leave files out of what they fetch. */
  filters?: boolean
}

export async function aSetup({
  change = {},
  path,
  auth,
  allow = '127.0.0.1',
  maxCacheBytes = 1e9,
  filters = false,
}: SetupOptions): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-worker-'))
  const repository = await aRepository(change)
  const server = await aGitServer({ repositories: { docs: path ?? repository.path }, filters, ...(auth && { auth }) })
  const blobs = createBlobStore({ url: `file://${folder}/blobs` })
  const outgoing = createOutgoing({ allow, timeoutMs: 300_000, maxBytes: 1e9 })
  const cache = new CloneCache({ folder: join(folder, 'cache'), maxBytes: maxCacheBytes })
  const warnings: Warning[] = []
  const tools = {
    outgoing,
    cache,
    blobs,
    limits: defaultLimits,
    signal: new AbortController().signal,
    warnings,
    onProgress: () => undefined,
  }
  const documents = new Map<string, string>()
  const branch = { url: server.url('docs'), ref: 'refs/heads/main' }
  const request = { organizationId: 'organization', spaceId: 'space', ...branch, known: [] }
  return {
    repository,
    server,
    blobs,
    folder,
    cache,
    warnings,
    tools,
    async run(more, limits) {
      const { commit, manifest } = await importRepository(
        { ...request, ...more },
        { ...tools, limits: { ...defaultLimits, ...limits } },
      )
      const importManifest = ImportManifest.parse(JSON.parse((await blobs.bytes(manifest)).toString()))
      for (const bundle of importManifest.bundles) {
        for (const document of unpackBundle(await blobs.bytes(bundle)))
          documents.set(createHash('sha256').update(document).digest('hex'), document.toString())
      }
      return { commit, manifest: importManifest }
    },
    text: hash => documents.get(hash ?? '') ?? 'was not handed over',
    clones: () => readdir(join(folder, 'cache')),
    async stop() {
      await outgoing.close()
      await server.stop()
      blobs.close()
      await repository.remove()
      await removeFolder(folder)
    },
  }
}

/** The contents of all files below a folder, as one string. */
export async function readAllFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = entries
    .filter(entry => entry.isFile())
    .map(entry => readFile(join(entry.parentPath, entry.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

/** The blobs known to content after an import. */
export function knownAfter({ pages, files, reusableContents }: ReadManifest): ImportRequest['known'] {
  const documents = (entries: ReadManifest['pages']): ImportRequest['known'] =>
    entries.flatMap(entry => [
      ...(entry.type === 'document' && entry.git && entry.document
        ? [{ oid: entry.git.oid, hash: entry.document, size: 0, isDocument: true }]
        : []),
      ...('pages' in entry ? documents(entry.pages) : []),
    ])
  const reusable = reusableContents.map(({ git, document }) => ({
    oid: git.oid,
    hash: document,
    size: 0,
    isDocument: true,
  }))
  return [...documents(pages), ...reusable, ...files.map(({ git, hash, size }) => ({ oid: git.oid, hash, size }))]
}
