import type { Db } from '@recto/database'
import { loadPageIndex } from '../pages/revision-index.ts'
import { diff } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { lockProjection, saveRecordedPaths } from '../projection/main-projections.repository.ts'
import { findDroppedPaths, movesPages } from './former-paths.rules.ts'
import * as repository from './former-paths.repository.ts'

/** Revisions that one transaction compares. */
const revisionsPerTransaction = 200

/**
 * Continues to record the paths that each revision of main content dropped: revision by revision, since a projection may skip some.
 * Resolves to true when more revisions may be left; the caller then calls again, in another transaction.
 */
export async function recordFormerPaths(db: Db, spaceId: string, batch = revisionsPerTransaction): Promise<boolean> {
  if (!(await spaces.find(db, spaceId))) return false
  const { pathsRevision } = await lockProjection(db, spaceId)
  const lastRecorded = pathsRevision === null ? undefined : await revisions.find(db, pathsRevision)
  const steps = await revisions.listMainFrom(db, spaceId, { from: lastRecorded?.mainNumber ?? 1, limit: batch + 1 })
  const last = steps.at(-1)
  if (!last || last.id === pathsRevision) return false
  for (const [at, to] of steps.entries()) {
    const from = steps[at - 1]
    if (from) await recordStep(db, from, to)
  }
  await repository.trim(db, spaceId)
  await saveRecordedPaths(db, spaceId, last.id)
  return steps.length > batch
}

async function recordStep(db: Db, from: RevisionRow, to: RevisionRow): Promise<void> {
  if (from.pagesRoot === to.pagesRoot) return
  if (!movesPages(await diff<PageRecord>(nodeStore(db), from.pagesRoot, to.pagesRoot))) return
  const dropped = findDroppedPaths(await loadPageIndex(db, from), await loadPageIndex(db, to))
  const of = { spaceId: to.spaceId, mainNumber: to.mainNumber ?? 0 }
  await repository.save(
    db,
    Array.from(dropped, ([path, pageId]) => ({ ...of, path, pageId })),
  )
}
