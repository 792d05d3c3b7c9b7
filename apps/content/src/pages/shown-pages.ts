import type { Db } from '@recto/database'
import { slugSet } from '@recto/repository-format'
import { LRUCache } from 'lru-cache'
import { emptyRoot, entries } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import type { ComputedEntry, ComputedPageRecord, ComputedSource, PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { indexPages, type PageIndex } from './page-tree.ts'
import { loadPageIndex } from './revision-index.ts'

type Computed = Pick<RevisionRow, 'spaceId' | 'pagesRoot' | 'computedRoot'>

const cachedRecords = 100_000
/** Trees with computed pages, by the roots of both maps. */
const treeCache = new LRUCache<string, PageIndex>({ maxSize: cachedRecords, sizeCalculation: ({ size }) => size + 1 })

/** The page tree of a revision for readers, with computed pages in place of their declarations. Cached in this process. */
export async function loadShownPages(db: Db, revision: Computed): Promise<PageIndex> {
  const declaredPages = await loadPageIndex(db, revision)
  if (revision.computedRoot === emptyRoot) return declaredPages
  const key = `${revision.pagesRoot} ${revision.computedRoot}`
  const tree = treeCache.get(key) ?? withComputed(declaredPages, await loadComputed(db, revision.computedRoot))
  treeCache.set(key, tree)
  return tree
}

/** Declarations of computed pages with the versions that their pages come from, and those pages. */
export async function loadComputed(db: Db, root: string): Promise<ComputedEntry[]> {
  return (await entries<ComputedEntry>(nodeStore(db), root)).map(([, entry]) => entry)
}

/** A page tree with computed pages; a declaration that has none, or that names another specification by now, stays as it is. */
export function withComputed(declared: PageIndex, computed: ComputedEntry[]): PageIndex {
  const pages = computed.filter(entry => entry.type === 'document')
  const inPlace = new Map<string, PageRecord[]>()
  const slugs = new Map<string | null, (slug: string) => string>()
  for (const source of computed) {
    const page = declared.get(source.id)
    if (source.type !== 'source' || source.version === null || !page || specOf(page) !== source.spec) continue
    const slugIn = slugs.get(page.parent) ?? slugSet(declared.childrenOf(page.parent).flatMap(({ slug }) => slug ?? []))
    slugs.set(page.parent, slugIn)
    const own = pages.filter(record => record.source === source.id)
    inPlace.set(
      page.id,
      own.map(record => placePage(record, { page, source, slugIn })),
    )
  }
  if (inPlace.size === 0) return declared
  return indexPages(declared.inOrder().flatMap(record => inPlace.get(record.id) ?? [record]))
}

/** The specification that a page declares computed pages of. */
export function specOf({ type, computed }: PageRecord): string | undefined {
  const { dependencies } = (computed ?? {}) as { dependencies?: { spec?: { ref?: { spec?: unknown } } } }
  const spec = dependencies?.spec?.ref?.spec
  return type === 'computed' && typeof spec === 'string' ? spec : undefined
}

interface Place {
  page: PageRecord
  source: ComputedSource
  slugIn(slug: string): string
}

/** Places a computed page in the tree: top pages replace the declaration and take over its settings. A page of the space keeps its slug when a computed one has the same. */
function placePage({ source: _, ...record }: ComputedPageRecord, { page, source, slugIn }: Place): PageRecord {
  const { createdAt, updatedAt, parent, order, hidden, noIndex, noRobotsIndex, condition } = page
  const common = { ...record, createdAt, updatedAt, computedSeed: source.version ?? '' }
  if (record.parent !== page.id) return common
  return {
    ...common,
    parent,
    slug: slugIn(record.slug ?? 'page'),
    // This sorts right after the declaration, before everything that follows it: no order has this character.
    order: `${order}!${record.order}`,
    ...(hidden !== undefined && { hidden }),
    ...(noIndex !== undefined && { noIndex }),
    ...(noRobotsIndex !== undefined && { noRobotsIndex }),
    ...(condition !== undefined && { condition }),
  }
}

/** Whether a page of a tree was computed from a specification; the tree has computed pages in place of their declarations. */
export function isComputedFrom({ computed }: Pick<PageIndex, 'computed'>, spec: string): boolean {
  return computed.some(page => specOf({ ...page, type: 'computed' }) === spec)
}
