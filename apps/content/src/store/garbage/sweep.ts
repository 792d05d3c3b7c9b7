import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import { parseNode } from '../content-map/content-map.ts'
import * as garbage from './garbage.repository.ts'
import { partsOf, sweptUntil, type Kind } from './garbage.rules.ts'

/** How much of each kind in one transaction: writers wait for it. */
const batches = { node: 100, document: 500, blob: 50 } satisfies Record<Kind, number>
/** Blobs deleted at once. */
const atOnce = 10

interface Sweeping {
  db: Db
  blobs: BlobStore
  now: Date
  signal?: AbortSignal
}

type Freed = Record<Kind, number>

/**
 * Frees what has been garbage for an hour and is still used by nobody; `busy` when a writer was in the way, and something may
 * be left. Nodes go first: what they name is noted when they are gone.
 */
export async function sweepGarbage(sweeping: Sweeping): Promise<{ freed: Freed; busy: boolean }> {
  const freed: Freed = { node: 0, document: 0, blob: 0 }
  for (const kind of ['node', 'document', 'blob'] as const) {
    for (let left = true; left;) {
      if (sweeping.signal?.aborted) return { freed, busy: true }
      const swept = await sweeping.db.transaction(db => sweepSome(sweeping, { db, kind }))
      if (swept === 'busy') return { freed, busy: true }
      freed[kind] += swept.freed
      left = swept.looked > 0
    }
  }
  return { freed, busy: false }
}

async function sweepSome(
  { blobs, now }: Sweeping,
  { db, kind }: { db: Db; kind: Kind },
): Promise<{ looked: number; freed: number } | 'busy'> {
  const until = sweptUntil(now)
  const ask = { kind, until, limit: batches[kind] }
  if ((await garbage.noted(db, { ...ask, limit: 1 })).length === 0) return { looked: 0, freed: 0 }
  // In this order: a worker's operation begins under the lock, so that none can begin after the look.
  if (!(await garbage.holdAlone(db)) || (await garbage.isWorking(db))) return 'busy'
  const noted = await garbage.noted(db, ask)
  const unused = await garbage.unused(db, noted)
  await garbage.takeOff(db, kind, noted)
  if (kind === 'node') await freeNodes(db, unused, until)
  if (kind === 'document') await garbage.deleteDocuments(db, unused)
  if (kind === 'blob') await freeBlobs(db, blobs, unused)
  return { looked: noted.length, freed: unused.length }
}

async function freeNodes(db: Db, hashes: string[], since: Date): Promise<void> {
  const bodies = await garbage.deleteNodes(db, hashes)
  await garbage.note(
    db,
    bodies.flatMap(body => partsOf(parseNode(body))),
    since,
  )
}

/**
 * Deletes blobs before the transaction ends: after it a worker may find one of them there, rely on it, and lose it. When the
 * transaction fails they are noted still, and deleting what is gone is no error.
 */
async function freeBlobs(db: Db, blobs: BlobStore, hashes: string[]): Promise<void> {
  for (let at = 0; at < hashes.length; at += atOnce) {
    // Fails when the connection is lost, and the lock with it.
    await garbage.stillAlone(db)
    await Promise.all(hashes.slice(at, at + atOnce).map(hash => blobs.delete(hash)))
  }
}
