import type { Difference } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'

/** The places of the pages of a tree, by id; revisions that differ only in texts, titles and settings share it. */
interface TreeShape {
  children: Map<string | null, string[]>
  ordered: string[]
  paths: Map<string, string>
  byPath: Map<string, string>
  /** Pages by path in lower case; built on first use. */
  byLowerPath?: Map<string, string>
}

/** The page tree of a revision, for reading; immutable like the revision. */
export class PageIndex {
  readonly #records: Map<string, PageRecord>
  readonly #shape: TreeShape
  #ordered: PageRecord[] | undefined
  #hasLinks: boolean | undefined
  #hasMetaLinks: boolean | undefined
  #hasConditions: boolean | undefined
  #hasComputed: boolean | undefined
  #hasGroups: boolean | undefined
  #computed: PageRecord[] | undefined

  constructor(records: Map<string, PageRecord>, shape = shapeOf(records)) {
    this.#records = records
    this.#shape = shape
  }

  get size(): number {
    return this.#records.size
  }

  /** Whether a page of the tree is a link. */
  get hasLinks(): boolean {
    return (this.#hasLinks ??= [...this.#records.values()].some(({ type }) => type === 'link'))
  }

  /** Whether a page of the tree has meta links. */
  get hasMetaLinks(): boolean {
    return (this.#hasMetaLinks ??= [...this.#records.values()].some(({ metaLinks }) => metaLinks !== undefined))
  }

  /** Whether a page of the tree has a condition. */
  get hasConditions(): boolean {
    return (this.#hasConditions ??= [...this.#records.values()].some(({ condition }) => condition !== undefined))
  }

  /** Whether the tree has groups. */
  get hasGroups(): boolean {
    return (this.#hasGroups ??= [...this.#records.values()].some(({ type }) => type === 'group'))
  }

  /** Whether a page of the tree declares computed pages. */
  get hasComputed(): boolean {
    return (this.#hasComputed ??= [...this.#records.values()].some(({ type }) => type === 'computed'))
  }

  /** The pages of the tree that are computed. */
  get computed(): PageRecord[] {
    return (this.#computed ??= [...this.#records.values()].filter(({ computedSeed }) => computedSeed !== undefined))
  }

  get roots(): PageRecord[] {
    return this.childrenOf(null)
  }

  get(id: string): PageRecord | undefined {
    return this.#records.get(id)
  }

  /** The pages directly below a page, or at the root, in their order. */
  childrenOf(id: string | null): PageRecord[] {
    return this.#recordsOf(this.#shape.children.get(id) ?? [])
  }

  /** The path of a page: the slugs from the root joined by `/`. */
  pathOf(id: string): string {
    return this.#shape.paths.get(id) ?? ''
  }

  byPath(path: string): PageRecord | undefined {
    const id = this.#shape.byPath.get(path)
    return id === undefined ? undefined : this.#records.get(id)
  }

  /** The page at a path, else one whose path differs in case only; of several, the first in the tree. */
  byPathOfUrl(path: string): PageRecord | undefined {
    const exact = this.byPath(path)
    if (exact) return exact
    const paths = (this.#shape.byLowerPath ??= lowerPaths(this.#shape.byPath))
    const id = paths.get(path.toLowerCase())
    return id === undefined ? undefined : this.#records.get(id)
  }

  /** All pages, parents before children, siblings in order. */
  inOrder(): PageRecord[] {
    return (this.#ordered ??= this.#recordsOf(this.#shape.ordered))
  }

  /** The tree after some changes; it costs a copy of a map, unless pages were added, deleted, moved or got another slug. */
  update(changes: Difference<PageRecord>[]): PageIndex {
    const records = new Map(this.#records)
    for (const { id, after } of changes) {
      if (after) records.set(id, after)
      else records.delete(id)
    }
    return changes.every(keepsShape) ? new PageIndex(records, this.#shape) : new PageIndex(records)
  }

  #recordsOf(ids: string[]): PageRecord[] {
    return ids.map(id => this.#records.get(id)).filter(record => record !== undefined)
  }
}

function keepsShape({ before, after }: Difference<PageRecord>): boolean {
  if (!before || !after) return false
  return before.parent === after.parent && before.order === after.order && before.slug === after.slug
}

/** Builds the tree of page records. An orphan, or a page in a cycle, becomes a root, so that no page gets lost. */
export function indexPages(records: Iterable<PageRecord>): PageIndex {
  return new PageIndex(new Map(Array.from(records, record => [record.id, record])))
}

function shapeOf(byId: Map<string, PageRecord>): TreeShape {
  const children = groupByParent(byId)
  const { ordered, paths } = walkTree(children.get(null) ?? [], children)
  const byPath = new Map<string, string>()
  for (const { id, slug } of ordered) {
    const path = paths.get(id)
    // The first in the tree of several pages with the same path has it.
    if (path !== undefined && slug !== undefined && !byPath.has(path)) byPath.set(path, id)
  }
  const idsOf = (records: PageRecord[]) => records.map(({ id }) => id)
  return {
    children: new Map(Array.from(children, ([parent, records]) => [parent, idsOf(records)])),
    ordered: idsOf(ordered),
    paths,
    byPath,
  }
}

function lowerPaths(byPath: Map<string, string>): Map<string, string> {
  const lower = new Map<string, string>()
  for (const [path, id] of byPath) if (!lower.has(path.toLowerCase())) lower.set(path.toLowerCase(), id)
  return lower
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
    const path = joinPath(prefix, record.slug)
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
  const checkedIds = new Set<string>()
  for (const record of byId.values()) {
    const path = new Set<string>()
    let at: PageRecord | undefined = record
    while (at && !checkedIds.has(at.id) && !path.has(at.id)) {
      path.add(at.id)
      at = byId.get(at.parent ?? '')
    }
    const ids = [...path]
    if (at && path.has(at.id)) ids.slice(ids.indexOf(at.id)).forEach(id => inCycles.add(id))
    ids.forEach(id => checkedIds.add(id))
  }
  return inCycles
}

/** A page without slug, as links are, adds nothing to the path. */
function joinPath(prefix: string, slug: string | undefined): string {
  if (!slug) return prefix
  return prefix === '' ? slug : `${prefix}/${slug}`
}
