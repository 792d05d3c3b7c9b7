import type { PageRecord } from '../store/revisions/records.ts'

/** The page tree of a revision, for reading; immutable like the revision. */
export interface PageIndex {
  roots: PageRecord[]
  get(id: string): PageRecord | undefined
  childrenOf(id: string): PageRecord[]
  /** The path of a page: the slugs from the root joined by `/`. */
  pathOf(id: string): string
  byPath(path: string): PageRecord | undefined
  /** All pages, parents before children, siblings in order. */
  inOrder(): PageRecord[]
}

/** Builds the tree of page records. An orphan, or a page in a cycle, becomes a root, so that no page gets lost. */
export function indexPages(records: Iterable<PageRecord>): PageIndex {
  const byId = new Map(Array.from(records, record => [record.id, record]))
  const children = groupByParent(byId)
  const roots = children.get(null) ?? []
  const { ordered, paths } = walkTree(roots, children)
  const byPath = new Map<string, PageRecord>()
  for (const record of ordered) {
    const path = paths.get(record.id)
    // Of several pages with the same path, the first in the tree has it.
    if (path !== undefined && record.slug !== undefined && !byPath.has(path)) byPath.set(path, record)
  }
  return {
    roots,
    get: id => byId.get(id),
    childrenOf: id => children.get(id) ?? [],
    pathOf: id => paths.get(id) ?? '',
    byPath: path => byPath.get(path),
    inOrder: () => ordered,
  }
}

/** Compares siblings by fractional index; equal ones, which a merge can produce, by id. */
export function byOrder(a: PageRecord, b: PageRecord): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1
  return a.id < b.id ? -1 : 1
}

interface Walked {
  ordered: PageRecord[]
  paths: Map<string, string>
}

/** Iterative, because the depth of a tree is unlimited. */
function walkTree(roots: PageRecord[], children: Map<string | null, PageRecord[]>): Walked {
  const walked: Walked = { ordered: [], paths: new Map() }
  const stack = roots.map(record => ({ record, prefix: '' })).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { record, prefix } = next
    const path = joined(prefix, record.slug)
    walked.paths.set(record.id, path)
    walked.ordered.push(record)
    const below = children.get(record.id) ?? []
    for (let at = below.length - 1; at >= 0; at -= 1) {
      const child = below[at]
      if (child) stack.push({ record: child, prefix: path })
    }
  }
  return walked
}

function groupByParent(byId: Map<string, PageRecord>): Map<string | null, PageRecord[]> {
  const children = new Map<string | null, PageRecord[]>()
  const lost = idsInCycles(byId)
  for (const record of byId.values()) {
    const isPlaced = record.parent !== null && byId.has(record.parent) && !lost.has(record.id)
    const parent = isPlaced ? record.parent : null
    const siblings = children.get(parent)
    if (siblings) siblings.push(record)
    else children.set(parent, [record])
  }
  for (const siblings of children.values()) siblings.sort(byOrder)
  return children
}

/** The pages that are their own ancestors, in linear time. */
function idsInCycles(byId: Map<string, PageRecord>): Set<string> {
  const inCycles = new Set<string>()
  const done = new Set<string>()
  for (const record of byId.values()) {
    const path = new Set<string>()
    let at: PageRecord | undefined = record
    while (at && !done.has(at.id) && !path.has(at.id)) {
      path.add(at.id)
      at = byId.get(at.parent ?? '')
    }
    const ids = [...path]
    if (at && path.has(at.id)) ids.slice(ids.indexOf(at.id)).forEach(id => inCycles.add(id))
    ids.forEach(id => done.add(id))
  }
  return inCycles
}

/** A page without slug, as links are, adds nothing to the path. */
function joined(prefix: string, slug: string | undefined): string {
  if (!slug) return prefix
  return prefix === '' ? slug : `${prefix}/${slug}`
}
