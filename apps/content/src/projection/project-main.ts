import type { Transaction } from '@recto/database'
import * as spaces from '../resources/spaces.repository.ts'
import { visiblePageIds } from '@recto/audience'
import type { PageIndex } from '../pages/page-tree.ts'
import type { MarkdownPool } from '../documents/parse-once.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { mainChange, type MainChange } from './main-change.ts'
import { lockProjection, saveProjection } from './main-projections.repository.ts'
import { forEachRewritten, type RewrittenTexts } from './rewritten-texts.ts'

/** Whether there are visitors who do not see all pages of a tree. */
function hasRestrictedPages(pages: PageIndex): boolean {
  return pages.hasConditions || visiblePageIds(pages.inOrder(), new Set()).size < pages.size
}

/** The work of one feature for one change of main content, in the transaction of the caller. */
export interface Projection {
  /** Removes what the change makes obsolete. */
  begin(): Promise<void>
  /** Writes what changed; called with a batch at a time, so that no document is parsed twice and memory stays bounded. */
  write(texts: RewrittenTexts): Promise<void>
  /** Updates the rows of unchanged pages that the change affects. */
  finish(): Promise<void>
}

/** Starts the projection of a change into the tables of a feature. */
export type Projector = (tx: Transaction, change: MainChange) => Projection

/** The tools of projections: the tables that they write, and the threads that parse. */
export interface ProjectionTools {
  projectors: readonly Projector[]
  markdown: MarkdownPool
}

/**
 * Brings the projections of a space to its main content as it is now, from the revision that they show: events may come in
 * any order and more than once. Resolves to false when there was nothing to do.
 */
export async function projectMain(
  tx: Transaction,
  spaceId: string,
  { projectors, markdown }: ProjectionTools,
): Promise<boolean> {
  if (!(await spaces.find(tx, spaceId))) return false
  const { revision: projectedRevision } = await lockProjection(tx, spaceId)
  // Read after the wait for the lock, which another projection may have held.
  const space = await spaces.find(tx, spaceId)
  if (!space || space.revision === projectedRevision) return false
  const to = await revisions.find(tx, space.revision)
  if (!to) return false
  const change = await mainChange(
    tx,
    projectedRevision === null ? undefined : await revisions.find(tx, projectedRevision),
    to,
  )
  const projections = projectors.map(project => project(tx, change))
  for (const projection of projections) await projection.begin()
  await forEachRewritten({ db: tx, markdown }, change, async texts => {
    for (const projection of projections) await projection.write(texts)
  })
  for (const projection of projections) await projection.finish()
  await saveProjection(tx, { spaceId, revision: to.id, hasConditions: hasRestrictedPages(change.after) })
  return true
}
