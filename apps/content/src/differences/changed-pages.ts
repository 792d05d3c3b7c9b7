import { revisionReferences } from '../audience/revision-references.ts'
import { diff, emptyRoot, type Difference } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import { pageChanges } from '../history/page-changes.rules.ts'
import { affectedBy } from '../history/visitor-changes.rules.ts'
import { indexPages } from '../pages/page-tree.ts'
import { revisionLookup } from '../reading/revision-lookup.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { Context } from '../shared/context.ts'
import { differingPages, mergePageChanges, type ChangedPage, type ComparedTrees } from './page-changes.rules.ts'
import type { Sides } from './open-sides.ts'

/** Reads the page trees of both sides. */
export async function comparedTrees({ before, after }: Sides): Promise<ComparedTrees> {
  return { before: before ? await before.view.pages('false') : indexPages([]), after: await after.view.pages('false') }
}

/** Finds the pages that differ: in the order of the newer tree, deleted ones last. */
export async function changedPages(sides: Sides, trees: ComparedTrees, context: Context): Promise<ChangedPage[]> {
  const differences = await recordDifferences(sides, trees, context)
  const affected = await affectedPages(sides, trees.after.inOrder(), context)
  return presentedChanges({ differences, affected }, { sides, trees }, context)
}

/** Finds how a page differs; undefined for one that is the same, or that neither side has. */
export async function changedPage(
  id: string,
  { sides, trees }: { sides: Sides; trees: ComparedTrees },
  context: Context,
): Promise<ChangedPage | undefined> {
  const differences = differingPages([id], { trees, isFiltered: false })
  const record = trees.after.get(id)
  const affected = await affectedPages(sides, record ? [record] : [], context)
  const [change] = await presentedChanges({ differences, affected }, { sides, trees }, context)
  return change
}

async function presentedChanges(
  { differences, affected }: { differences: Difference<PageRecord>[]; affected: ReadonlySet<string> },
  { sides, trees }: { sides: Sides; trees: ComparedTrees },
  context: Context,
): Promise<ChangedPage[]> {
  const { before, after } = sides
  const hasLinks = trees.before.hasLinks || trees.after.hasLinks
  const lookups =
    hasLinks && before
      ? {
          before: await revisionLookup(context, before.revision, before.view),
          after: await revisionLookup(context, after.revision, after.view),
        }
      : undefined
  const changes = pageChanges({ ...trees, differences, ...(lookups && { lookups }) }, after.presentation)
  const isVisitor = context.actor.visitor !== undefined
  return mergePageChanges(changes, { trees, affected, isVisitor })
}

/** The records of pages that differ as the caller sees them; what is stored differs less than what conditions hide. */
async function recordDifferences(
  { before, after }: Sides,
  trees: ComparedTrees,
  { db, actor }: Context,
): Promise<Difference<PageRecord>[]> {
  const stored = await diff<PageRecord>(
    nodeStore(db),
    before?.revision.pagesRoot ?? emptyRoot,
    after.revision.pagesRoot,
  )
  return differingPages(
    stored.map(({ id }) => id),
    { trees, isFiltered: actor.visitor !== undefined },
  )
}

/** Those of some pages of the newer tree whose text differs, since they include a reusable content that does. */
async function affectedPages(
  { before, after }: Sides,
  pages: readonly PageRecord[],
  context: Context,
): Promise<Set<string>> {
  if (!before) return new Set()
  const store = nodeStore(context.db)
  const reusables = await diff<ReusableRecord>(store, before.revision.reusableRoot, after.revision.reusableRoot)
  if (reusables.length === 0) return new Set()
  const references = await revisionReferences(context, after.revision)
  const isAffected = affectedBy(new Set(reusables.map(({ id }) => id)), references)
  const records = pages.filter(({ id, type }) => type === 'document' && isAffected(id))
  return new Set(records.map(({ id }) => id))
}
