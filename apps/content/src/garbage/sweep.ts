import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import { parseNode } from '../content-map/content-map.ts'
import { assertTransactionAlive, tryLockContentExclusive } from '../content-store/content-lock.repository.ts'
import { deleteDocuments, deleteNodes } from '../content-store/content.repository.ts'
import * as garbage from './garbage.repository.ts'
import { type ContentKind, garbageCutoff, referencesOf } from './garbage.rules.ts'
import { batches } from '../lists/batches.ts'

/** Items of each kind that one transaction frees, while writers wait. */
const batchSizes = { node: 100, document: 500, blob: 50 } satisfies Record<ContentKind, number>
/** Blobs that are deleted at the same time. */
const concurrentDeletes = 10

/** The options of a sweep. */
export interface SweepOptions {
  db: Db
  blobs: BlobStore
  /** Whether a worker is storing content: workers put files into the blob store long before a revision references them. */
  hasActiveWriters(db: Db): Promise<boolean>
  /** The rooms that hold content besides the nodes of content maps. */
  holders: readonly garbage.ContentHolder[]
  now: Date
  signal?: AbortSignal
}

type FreedCounts = Record<ContentKind, number>

/**
 * Frees content that was marked as garbage an hour ago or earlier and that nothing references. `busy` means that a writer was active or
 * the sweep was aborted, so garbage may be left. Nodes are freed first, because their deletion marks the content that they reference.
 */
export async function sweepGarbage(options: SweepOptions): Promise<{ freed: FreedCounts; busy: boolean }> {
  const freed: FreedCounts = { node: 0, document: 0, blob: 0 }
  for (const kind of ['node', 'document', 'blob'] as const) {
    for (let hasMore = true; hasMore;) {
      if (options.signal?.aborted) return { freed, busy: true }
      const result = await options.db.transaction(db => sweepBatch(options, { db, kind }))
      if (result === 'busy') return { freed, busy: true }
      freed[kind] += result.freed
      hasMore = result.examined > 0
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
  // The lock is taken before the check: writers start under the shared lock, so that none can start after the check.
  if (!(await tryLockContentExclusive(db)) || (await hasActiveWriters(db))) return 'busy'
  const hashes = await garbage.listGarbage(db, request)
  const unreferenced = await garbage.listUnreferenced(db, hashes, holders)
  await garbage.unmarkGarbage(db, kind, hashes)
  if (kind === 'node') await freeNodes(db, unreferenced, until)
  if (kind === 'document') await deleteDocuments(db, unreferenced)
  if (kind === 'blob') await freeBlobs(db, blobs, unreferenced)
  return { examined: hashes.length, freed: unreferenced.length }
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
 * Deletes blobs before the transaction commits: after the commit a worker could find one of them, rely on it, and lose it. When the
 * transaction fails, the blobs stay marked; deleting a missing blob is not an error.
 */
async function freeBlobs(db: Db, blobs: BlobStore, hashes: string[]): Promise<void> {
  for (const batch of batches(hashes, concurrentDeletes)) {
    // Throws when the connection is lost, and the lock with it.
    await assertTransactionAlive(db)
    await Promise.all(batch.map(hash => blobs.delete(hash)))
  }
}
