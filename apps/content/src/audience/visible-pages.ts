import { type AudienceScope, hiddenPageIds, visiblePageIds } from '@recto/audience'
import type { Visitor } from '@recto/actor'
import { LRUCache } from 'lru-cache'
import { indexPages, type PageIndex } from '../pages/page-tree.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'

/** Whether a tree has computed pages in the place of their declarations. */
export type Computed = 'true' | 'false'

/** The criteria that decide which pages are visible. */
export interface PageSelection {
  computed?: Computed
  /** Main content of the space, when another revision is read: pages that its conditions hide are hidden in the revision, too. */
  current?: RevisionRow | undefined
}

const cachedRecords = 100_000
/** Trees of visitors, without hidden pages, by revision and claims. */
const filteredTrees = new LRUCache<string, PageIndex>({
  maxSize: cachedRecords,
  sizeCalculation: ({ size }) => size + 1,
})

/**
 * Reads the page tree of a revision as the caller sees it: members see all of it, visitors neither pages that conditions hide nor groups
 * that would be empty.
 */
export async function visiblePages(
  { db, actor: { visitor } }: Pick<Context, 'db' | 'actor'>,
  revision: RevisionRow,
  { computed = 'true', current }: PageSelection = {},
): Promise<PageIndex> {
  const index = computed === 'true' ? await loadShownPages(db, revision) : await loadPageIndex(db, revision)
  if (!visitor) return index
  const currentIndex = current && (await loadShownPages(db, current))
  if (!index.hasConditions && !index.hasGroups && !currentIndex?.hasConditions) return index
  const key = JSON.stringify([revision.id, current?.id, visitor.claims, computed])
  const cachedIndex = filteredTrees.get(key)
  if (cachedIndex) return cachedIndex
  const elsewhere = current && currentIndex && hiddenPageIds(currentIndex.inOrder(), scopeIn(visitor, current))
  const visible = withoutHidden(index, hiddenPageIds(index.inOrder(), scopeIn(visitor, revision), elsewhere))
  filteredTrees.set(key, visible)
  return visible
}

/** The scope in which conditions on the content of a revision are evaluated. */
export function scopeIn({ claims }: Visitor, { variables }: Pick<RevisionRow, 'variables'>): AudienceScope {
  return { claims, variables }
}

function withoutHidden(index: PageIndex, hidden: ReadonlySet<string>): PageIndex {
  const all = index.inOrder()
  const visible = visiblePageIds(all, hidden)
  return visible.size === all.length ? index : indexPages(all.filter(({ id }) => visible.has(id)))
}
