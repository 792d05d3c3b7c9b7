/** A page as a revision keeps it, under its id. */
export interface PageRecord {
  id: string
  type: 'document' | 'group' | 'link' | 'computed'
  title: string
  parent: string | null
  /** Fractional index among the siblings. */
  order: string
  slug?: string
  /** SHA-256 of the page's Markdown file; absent for an entry without file. */
  document?: string
  git?: { path: string; oid: string }
  emoji?: string
  icon?: string
  description?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  layout?: Record<string, unknown>
  cover?: Record<string, unknown>
  variables?: Record<string, string | number | boolean>
  target?: Record<string, unknown>
  href?: string
  computed?: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

/** The tree that page records describe, for reading; never changes, like the revision it is made from. */
export interface PageIndex {
  roots: PageRecord[]
  get(id: string): PageRecord | undefined
  childrenOf(id: string): PageRecord[]
  /** The slugs from the root joined by `/`. */
  pathOf(id: string): string
  byPath(path: string): PageRecord | undefined
  /** All pages, parents before children, siblings in order. */
  inOrder(): PageRecord[]
}

/** Derives the tree. An orphan, or a page in a cycle, goes to the root: a page is never lost from sight. */
export function indexPages(records: Iterable<PageRecord>): PageIndex {
  const byId = new Map([...records].map(record => [record.id, record]))
  const children = groupByParent(byId)
  const roots = children.get(null) ?? []
  const paths = new Map<string, string>()
  const ordered: PageRecord[] = []
  const visit = (record: PageRecord, prefix: string): void => {
    const path = record.slug === undefined ? prefix : joined(prefix, record.slug)
    paths.set(record.id, path)
    ordered.push(record)
    for (const child of children.get(record.id) ?? []) visit(child, path)
  }
  for (const root of roots) visit(root, '')
  const idsByPath = new Map(ordered.filter(({ slug }) => slug !== undefined).map(({ id }) => [paths.get(id), id]).reverse() as [string, string][])
  return {
    roots,
    get: id => byId.get(id),
    childrenOf: id => children.get(id) ?? [],
    pathOf: id => paths.get(id) ?? '',
    byPath: path => byId.get(idsByPath.get(path) ?? ''),
    inOrder: () => ordered,
  }
}

function groupByParent(byId: Map<string, PageRecord>): Map<string | null, PageRecord[]> {
  const children = new Map<string | null, PageRecord[]>()
  for (const record of byId.values()) {
    const isPlaced = record.parent !== null && byId.has(record.parent) && !isInCycle(byId, record)
    const parent = isPlaced ? record.parent : null
    const siblings = children.get(parent)
    if (siblings) siblings.push(record)
    else children.set(parent, [record])
  }
  for (const siblings of children.values()) siblings.sort(byOrder)
  return children
}

function isInCycle(byId: Map<string, PageRecord>, record: PageRecord): boolean {
  const seen = new Set<string>()
  for (let at = byId.get(record.parent ?? ''); at && !seen.has(at.id); at = byId.get(at.parent ?? '')) {
    if (at.id === record.id) return true
    seen.add(at.id)
  }
  return false
}

function byOrder(a: PageRecord, b: PageRecord): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1
  return a.id < b.id ? -1 : 1
}

function joined(prefix: string, slug: string): string {
  return prefix === '' ? slug : `${prefix}/${slug}`
}
