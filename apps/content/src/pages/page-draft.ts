import { generateKeyBetween } from 'fractional-indexing'
import { canonicalJson, type Difference } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'
import { byOrder, type PageIndex } from './page-tree.ts'
import { freePath, pageFile } from './repository-files.ts'

/** The place of a page: below a page, or at the root, and a position among its new siblings, by default the end. */
export interface PagePlace {
  parent: string | null
  at?: number | undefined
}

function isSamePage(a: PageRecord, b: PageRecord): boolean {
  return canonicalJson({ ...a, updatedAt: '' }) === canonicalJson({ ...b, updatedAt: '' })
}

/** A page tree with changes that are not written yet. */
export class PageDraft {
  readonly #base: PageIndex
  readonly #changed = new Map<string, PageRecord | undefined>()

  constructor(base: PageIndex) {
    this.#base = base
  }

  get(id: string): PageRecord | undefined {
    return this.#changed.has(id) ? this.#changed.get(id) : this.#base.get(id)
  }

  set(record: PageRecord): void {
    this.#changed.set(record.id, record)
  }

  /** Deletes a page with all pages below it; returns their ids. */
  delete(id: string): string[] {
    const ids = this.subtree(id)
    for (const each of ids) this.#changed.set(each, undefined)
    return ids
  }

  /** A page and all pages below it, parents before children. */
  subtree(id: string): string[] {
    const ids = [id]
    for (let at = 0; at < ids.length; at += 1) {
      const parent = ids[at]
      if (parent !== undefined) ids.push(...this.childrenOf(parent).map(child => child.id))
    }
    return ids
  }

  /** The pages directly below a page, or at the root, in their order. */
  childrenOf(parent: string | null): PageRecord[] {
    const unchangedPages = this.#base.childrenOf(parent).filter(({ id }) => !this.#changed.has(id))
    const changedPages = [...this.#changed.values()].filter(record => record?.parent === parent && record !== undefined)
    if (changedPages.length === 0) return unchangedPages
    return [...unchangedPages, ...(changedPages as PageRecord[])].sort(byOrder)
  }

  /** The fractional index of a place; the page itself, when it is there already, does not count as a sibling. */
  orderAt({ parent, at }: PagePlace, page?: string): string {
    const siblings = this.childrenOf(parent).filter(({ id }) => id !== page)
    const position = Math.min(at ?? siblings.length, siblings.length)
    const before = siblings[position - 1]?.order ?? null
    // Equal indexes, which a merge can produce, leave no room between them: the next greater one is the bound.
    const after = siblings.slice(position).find(({ order }) => before === null || order > before)?.order ?? null
    return generateKeyBetween(before, after)
  }

  /** A slug that no sibling has: `baseSlug`, or with `-1`, `-2` … after it. */
  freeSlug(baseSlug: string, parent: string | null, page?: string): string {
    const takenSlugs = this.#slugsBelow(parent, page)
    for (let count = 0; ; count += 1) {
      const slug = count === 0 ? baseSlug : `${baseSlug}-${count}`
      if (!takenSlugs.has(slug)) return slug
    }
  }

  isSlugFree(slug: string, parent: string | null, page?: string): boolean {
    return !this.#slugsBelow(parent, page).has(slug)
  }

  /** A path for a page's Markdown file that no other page has. */
  freeFile(basePath: string): string {
    const takenPaths = new Set(Array.from(this.all(), page => pageFile(page)?.toLowerCase()))
    return freePath(basePath, path => takenPaths.has(path))
  }

  /** The path of a page: the slugs from the root joined by `/`. */
  pathOf(id: string): string {
    const slugs: string[] = []
    for (let record = this.get(id); record; record = record.parent === null ? undefined : this.get(record.parent)) {
      if (record.slug) slugs.unshift(record.slug)
    }
    return slugs.join('/')
  }

  /** All pages as they are now, in no particular order. */
  *all(): Iterable<PageRecord> {
    for (const record of this.#base.inOrder()) if (!this.#changed.has(record.id)) yield record
    for (const record of this.#changed.values()) if (record) yield record
  }

  /** The changes of the draft; a page with nothing but another `updatedAt` is unchanged. */
  changes(): Difference<PageRecord>[] {
    return Array.from(this.#changed).flatMap(([id, after]) => {
      const before = this.#base.get(id)
      if (before && after && isSamePage(before, after)) return []
      return [{ id, ...(before && { before }), ...(after && { after }) }]
    })
  }

  #slugsBelow(parent: string | null, page: string | undefined): Set<string | undefined> {
    return new Set(
      this.childrenOf(parent)
        .filter(({ id }) => id !== page)
        .map(({ slug }) => slug),
    )
  }
}
