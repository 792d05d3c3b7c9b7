import { canonicalJson, type Difference } from '../content-map/content-map.ts'
import { type PageChange, presentPageRef } from '../history/page-changes.rules.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'

/** A page as its changes name it. */
export type PageRef = PageChange['page']
type Attributes = Extract<PageChange, { type: 'page_edited' }>['attributes']
type Parent = Extract<PageChange, { type: 'page_moved' }>['parent']

/** The page trees of two revisions as the caller sees them. Computed pages are compared as they are declared. */
export interface ComparedTrees {
  before: PageIndex
  after: PageIndex
}

/** The differences of a page, without those of its text. */
export interface ChangedPage {
  id: string
  status: 'created' | 'edited' | 'deleted'
  page: PageRef
  from?: PageRef
  moved?: { parent: Parent }
  attributes: Attributes
}

/** The records that differ between two trees. In filtered trees a page can be missing on one side although it is the same. */
export function differingPages(
  storedIds: readonly string[],
  { trees: { before, after }, isFiltered }: { trees: ComparedTrees; isFiltered: boolean },
): Difference<PageRecord>[] {
  const onOneSide = isFiltered
    ? [...before.inOrder(), ...after.inOrder()].filter(({ id }) => !before.get(id) || !after.get(id))
    : []
  const ids = new Set([...storedIds, ...onOneSide.map(({ id }) => id)])
  return [...ids].flatMap((id): Difference<PageRecord>[] => {
    const old = before.get(id)
    const current = after.get(id)
    if (!old && !current) return []
    if (old && current && canonicalJson(old) === canonicalJson(current)) return []
    return [{ id, ...(old && { before: old }), ...(current && { after: current }) }]
  })
}

interface Merging {
  trees: ComparedTrees
  /** Pages whose text differs by what it includes. */
  affected: ReadonlySet<string>
  isVisitor: boolean
}

/** One entry for each page that is created, edited, moved or deleted, or affected by what it includes; in the order of the newer tree. */
export function mergePageChanges(
  changes: readonly PageChange[],
  { trees, affected, isVisitor }: Merging,
): ChangedPage[] {
  const entries = new Map<string, ChangedPage>()
  for (const change of changes) {
    const { id } = change.page
    const entry = entries.get(id) ?? newEntry(id, change, trees)
    entries.set(id, entry)
    if (change.type === 'page_moved') entry.moved = { parent: change.parent }
    if (change.type === 'page_edited') entry.attributes = shownAttributes(change.attributes, isVisitor)
  }
  const inOrder = trees.after.inOrder().flatMap(record => {
    const entry = entries.get(record.id)
    if (entry) return [entry]
    return affected.has(record.id) ? [unchangedPage(record, trees)] : []
  })
  const deleted = [...entries.values()].filter(({ status }) => status === 'deleted')
  return [...inOrder, ...deleted]
}

const statuses = {
  page_created: 'created',
  page_deleted: 'deleted',
  page_moved: 'edited',
  page_edited: 'edited',
} as const

function newEntry(id: string, { type, page }: PageChange, { before }: ComparedTrees): ChangedPage {
  const status = statuses[type]
  const old = status === 'edited' ? before.get(id) : undefined
  return { id, status, page, ...(old && { from: presentPageRef(old, before) }), attributes: {} }
}

/** A page of the newer tree of which neither settings nor place differ. */
export function unchangedPage(record: PageRecord, { before, after }: ComparedTrees): ChangedPage {
  const old = before.get(record.id)
  const page = presentPageRef(record, after)
  return { id: record.id, status: 'edited', page, ...(old && { from: presentPageRef(old, before) }), attributes: {} }
}

/** Texts are compared by themselves. A visitor learns nothing of conditions. */
function shownAttributes(
  { document: _document, condition, ...attributes }: Attributes,
  isVisitor: boolean,
): Attributes {
  return { ...attributes, ...(condition && !isVisitor && { condition }) }
}
