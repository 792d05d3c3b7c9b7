import type { DocumentRef, JSONDocument } from '@recto/markdown/schema'
import type { DocumentMarks } from './mark.ts'

/** Where a reference leads, as the page shows it. */
export interface Target {
  /** An address in the site, a URL elsewhere, or of a file; undefined where the visitor may not go. */
  href?: string
  title: string
  description?: string
  emoji?: string
  icon?: string
  /** The image of a card that refers to a page: an address as of `href`. */
  cover?: string
  /** The properties of a target that is a file. */
  file?: { name: string; size: number; contentType: string; dimensions?: { width: number; height: number } }
  /** Leads away from the site. */
  isExternal?: boolean
}

/** The preview of a URL that a page embeds, from the API. */
export interface EmbedPreview {
  title?: string
  site?: string
  description?: string
  icon?: string
}

/** How a tag of the space looks. */
export interface TagLook {
  label: string
  color?: string | undefined
  emoji?: string | undefined
  icon?: string | undefined
}

/** How tags look, by their slugs. */
export type TagLooks = Readonly<Record<string, TagLook>>

/** All that a body is rendered from: plain data, so that a worker thread can do it. */
export interface BodyInput {
  document: JSONDocument
  /** By `referenceKey`; what is missing leads nowhere. */
  targets: Record<string, Target>
  /** Documents of reusable contents, by `referenceKey`. */
  included: Record<string, JSONDocument>
  /** By URL. */
  embeds: Record<string, EmbedPreview>
  /** Content of OpenAPI specifications as JSON, by their slug. */
  specifications: Record<string, string>
  /** How the tags of the space look. */
  tags: TagLooks
  /** The address of the feed of the page's updates. */
  feed?: string
  /** The claims for expressions and conditions that depend on the visitor. */
  claims: Record<string, unknown>
  /** Language of the interface: a key of its strings. */
  locale: string
  /** Whether links that lead away open in a new tab. */
  opensExternalLinksInNewTab: boolean
  /** Whether the site opens AI assistants. */
  externalAI: boolean
  /** The differences to another document, with whose nodes this one is merged. */
  marked?: DocumentMarks
}

/** A heading of a body. */
export interface OutlineEntry {
  id: string
  title: string
  /** 1 for the highest. */
  depth: number
}

/** A dated entry of a body. */
export interface UpdateEntry {
  /** Its anchor in the body. */
  id: string
  /** A timestamp (RFC 3339). */
  date: string
  title: string
  /** Its words, without those of the title. */
  text: string
  /** Labels. */
  tags: string[]
}

/** A body as HTML. */
export interface Body {
  html: string
  outline: OutlineEntry[]
  /** Shows formulas, so that the page needs the style sheet of KaTeX. */
  hasMath: boolean
  /** The dated entries of its changelogs, in their order. */
  updates: UpdateEntry[]
}

/** A reference as a key of `BodyInput`. */
export function referenceKey(ref: DocumentRef): string {
  return JSON.stringify(Object.entries(ref).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** How a tag looks; one that the space does not describe is called what it is named. */
export function lookOf(slug: string, looks: TagLooks): TagLook {
  return (Object.hasOwn(looks, slug) ? looks[slug] : undefined) ?? { label: slug }
}

/** The parts that a body needs of the API before it can be rendered. */
export interface BodyNeeds {
  references: DocumentRef[]
  embeds: string[]
  /** Slugs or ids of specifications. */
  specifications: string[]
  reusableContents: DocumentRef[]
}
