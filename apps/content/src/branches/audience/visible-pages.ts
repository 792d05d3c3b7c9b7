import { meetsCondition } from '@recto/expressions'
import type { Visitor } from '@recto/actor'
import { LRUCache } from 'lru-cache'
import { indexPages, type PageIndex } from '../../pages/page-tree.ts'
import { loadPageIndex } from '../../pages/revision-index.ts'
import { loadShownPages } from '../../pages/shown-pages.ts'
import type { Context } from '../../shared/context.ts'
import type { PageRecord } from '../../store/revisions/records.ts'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'

const cachedRecords = 100_000
/** Trees without what their visitors must not see, by revision and claims. */
const filtered = new LRUCache<string, PageIndex>({
  maxSize: cachedRecords,
  sizeCalculation: ({ size }) => size + 1,
})

/** The page tree of a revision as the caller sees it, with computed pages unless they are to stay as they are declared: for a visitor without the pages whose condition does not hold, and what is below them. */
export async function visiblePages(
  { db, actor: { visitor } }: Pick<Context, 'db' | 'actor'>,
  revision: RevisionRow,
  computed: 'true' | 'false' = 'true',
): Promise<PageIndex> {
  const index = computed === 'true' ? await loadShownPages(db, revision) : await loadPageIndex(db, revision)
  if (!visitor || !index.hasConditions) return index
  const key = JSON.stringify([revision.id, visitor.claims, computed])
  const known = filtered.get(key) ?? withoutHidden(index, { visitor, revision })
  filtered.set(key, known)
  return known
}

/** Parents come before children, so what is below a hidden page is hidden with it. */
function withoutHidden(
  index: PageIndex,
  { visitor: { claims }, revision: { variables } }: { visitor: Visitor; revision: RevisionRow },
): PageIndex {
  const hidden = new Set<string>()
  const isHidden = ({ parent, condition, variables: own = {} }: PageRecord) =>
    (parent !== null && hidden.has(parent)) ||
    !meetsCondition(condition, { visitor: { claims }, space: { vars: variables }, page: { vars: own } })
  for (const record of index.inOrder()) if (isHidden(record)) hidden.add(record.id)
  return indexPages(index.inOrder().filter(({ id }) => !hidden.has(id)))
}
