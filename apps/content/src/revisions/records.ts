import type { PageLayout, PageMetaLinks, PageTag } from '@recto/markdown'

/** A page in a revision's map of pages, under its id. */
export interface PageRecord {
  id: string
  type: 'document' | 'group' | 'link' | 'computed'
  title: string
  /** The title in the table of contents, where it is not `title`. */
  linkTitle?: string
  parent: string | null
  /** Fractional index among the siblings. */
  order: string
  slug?: string
  /** SHA-256 of the page's Markdown file; absent for an entry without file. */
  document?: string
  git?: { path: string; oid: string }
  /** Path in the repository of a page that was not imported: an export writes it there, and links are relative to it. It stays when the page moves. */
  file?: string
  emoji?: string
  icon?: string
  description?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  /** Expression that decides whether visitors see the page. */
  condition?: string
  layout?: PageLayout
  cover?: Record<string, unknown>
  variables?: Record<string, string | number | boolean>
  /** Targets as the front matter of the page writes them. */
  metaLinks?: PageMetaLinks
  tags?: PageTag[]
  target?: Record<string, unknown>
  href?: string
  computed?: Record<string, unknown>
  /** The version of the specification that a computed page comes from. */
  computedSeed?: string
  createdAt: string
  updatedAt: string
}

/** A declaration of computed pages in a revision's map of those, under the id of the page that declares them. */
export interface ComputedSource {
  id: string
  type: 'source'
  spec: string
  models: boolean
  /** Whether each operation has a page of its own. */
  grouping?: 'by-operation'
  /** The version of the specification that its pages come from; null when there was none. */
  version: string | null
}

/** A computed page in that map, under its id: it belongs to a declaration, and stands in its place unless it is below another. */
export interface ComputedPageRecord extends Omit<PageRecord, 'createdAt' | 'updatedAt' | 'computedSeed'> {
  type: 'document'
  source: string
}

export type ComputedEntry = ComputedSource | ComputedPageRecord

/** A file in a revision's map of files, under its id. */
export interface FileRecord {
  id: string
  name: string
  /** SHA-256 of the bytes in the blob store. */
  hash: string
  size: number
  contentType: string
  dimensions?: { width: number; height: number }
  git?: { path: string; oid: string }
  /** Path in the repository of a file that was not imported; links lead to it. */
  file?: string
}

/** A reusable content, which pages can include, in a revision's map, under its id. */
export interface ReusableRecord {
  id: string
  title: string
  document: string
  git?: { path: string; oid: string }
  /** Path in the repository of a reusable content whose text is not that of the repository any more. */
  file?: string
}
