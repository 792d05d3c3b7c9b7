import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import { parseNode } from '../content-map/content-map.ts'
import { assertTransactionAlive, tryLockContentExclusive } from '../content-store/content-lock.repository.ts'
import { deleteDocuments, deleteNodes } from '../content-store/content.repository.ts'
import * as garbage from './garbage.repository.ts'
import { type ContentKind, garbageCutoff, referencesOf } from './garbage.rules.ts'
import { batches } from '../lists/batches.ts'

/** Items of each kind freed in one transaction; writers wait for it. */
const batchSizes = { node: 100, document: 500, blob: 50 } satisfies Record<ContentKind, number>
/** Blobs deleted concurrently. */
const concurrentDeletes = 10

/** The options of a sweep. */
export interface SweepOptions {
  db: Db
  blobs: BlobStore
  /** Whether a worker stores content now: it puts files into the blob store long before a revision references them. */
  hasActiveWriters(db: Db): Promise<boolean>
  /** The rooms that hold content besides the nodes of content maps. */
  holders: readonly garbage.ContentHolder[]
  now: Date
  signal?: AbortSignal
}

type Freed = Record<ContentKind, number>

/**
 * Frees content that was marked as garbage an hour ago or earlier and that nothing references. `busy` means that a writer was
 * active, and garbage may be left. Nodes are freed first, because their references are marked when they are deleted.
 */
export async function sweepGarbage(options: SweepOptions): Promise<{ freed: Freed; busy: boolean }> {
  const freed: Freed = { node: 0, document: 0, blob: 0 }
  for (const kind of ['node', 'document', 'blob'] as const) {
    for (let hasMore = true; hasMore;) {
      if (options.signal?.aborted) return { freed, busy: true }
      const swept = await options.db.transaction(db => sweepBatch(options, { db, kind }))
      if (swept === 'busy') return { freed, busy: true }
      freed[kind] += swept.freed
      hasMore = swept.examined > 0
    }
  }
  return { freed, busy: false }
}

async function sweepBatch(
  { blobs, hasActiveWriters, holders, now }: SweepOptions,
  { db, kind }: { db: Db; kind: ContentKind },
): Promise<{ examined: number; freed: number } | 'busy'> {
  const until = garbageCutoff(now)
  const request = { kind, until, limit: batchSizes[kind] }
  if ((await garbage.listGarbage(db, { ...request, limit: 1 })).length === 0) return { examined: 0, freed: 0 }
  // Lock first: operations start under the shared lock, so none can start after this check.
  if (!(await tryLockContentExclusive(db)) || (await hasActiveWriters(db))) return 'busy'
  const marked = await garbage.listGarbage(db, request)
  const unreferenced = await garbage.listUnreferenced(db, marked, holders)
  await garbage.unmarkGarbage(db, kind, marked)
  if (kind === 'node') await freeNodes(db, unreferenced, until)
  if (kind === 'document') await deleteDocuments(db, unreferenced)
  if (kind === 'blob') await freeBlobs(db, blobs, unreferenced)
  return { examined: marked.length, freed: unreferenced.length }
}

async function freeNodes(db: Db, hashes: string[], since: Date): Promise<void> {
  const bodies = await deleteNodes(db, hashes)
  await garbage.markGarbage(
    db,
    bodies.flatMap(body => referencesOf(parseNode(body))),
    since,
  )
}

/**
 * Deletes blobs before the transaction commits: after the commit a worker could find one of them, rely on it, and lose it. If the
 * transaction fails, the blobs stay marked, and deleting a missing blob is no error.
 */
async function freeBlobs(db: Db, blobs: BlobStore, hashes: string[]): Promise<void> {
  for (const batch of batches(hashes, concurrentDeletes)) {
    // Throws when the connection is lost, and the lock with it.
    await assertTransactionAlive(db)
    await Promise.all(batch.map(hash => blobs.delete(hash)))
  }
}
