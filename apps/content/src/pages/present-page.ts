import type { Secrets } from '@recto/operation'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { downloadLifetime } from '@recto/actor/site-version'
import { signDownload } from '@recto/blobs'
import { contentLimits, type File, type Page, type ReusableContent } from '@recto/contracts-shared'
import { presentLayout, type JSONDocument, type PageLayout } from '@recto/markdown'
import type { z } from 'zod'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { ContentLookup } from './content-lookup.ts'
import type { PageIndex } from './page-tree.ts'
import { presentMetaLinks } from './meta-links.ts'
import { referenceOf } from './named-target.rules.ts'
import { presentTags } from './page-tags.rules.ts'
import type { WrittenTarget } from '@recto/repository-content'
import type { VisitedPlace } from './visited-place.rules.ts'
import { unresolvedApplicationUrl, visitedReference } from './visitor-document.ts'

type PresentedPage = z.input<typeof Page>
type DocumentPage = Extract<PresentedPage, { type: 'document' }>
type GroupPage = Extract<PresentedPage, { type: 'group' }>
type LinkPage = Extract<PresentedPage, { type: 'link' }>
type ComputedPage = Extract<PresentedPage, { type: 'computed' }>

/** The options for presenting pages and files to a reader. */
export interface Presentation {
  spaceId: string
  publicUrl: string
  signingSecret: Secrets
  /** The site version that addresses of files are issued for, and whose closing ends them; undefined for members. */
  issuedFor: string | undefined
  /** Whether git metadata is included. */
  metadata: boolean
  /** Whether pages have the variables that their expressions name; true by default. */
  variables?: boolean
  /** The lookup for targets of links in the page tree; without it, all of them are URLs. */
  content?: ContentLookup
  /** The places of links in the page tree to the application, for a visitor. */
  places?: ReadonlyMap<string, VisitedPlace>
}

/** The places in the tree that presenting a page needs. */
type PagePlaces = Pick<PageIndex, 'childrenOf' | 'pathOf'>

/** Milliseconds of one slice of a tree: another request waits no longer, as sections are small. */
const sliceMs = 4

/** The whole page tree, without documents, in slices, so that a large one does not keep other requests waiting. */
export async function presentTree(index: PageIndex, presentation: Presentation): Promise<PresentedPage[]> {
  const pages: PresentedPage[] = []
  let sliceStart = performance.now()
  for (const record of index.roots) {
    pages.push(presentPage(record, index, presentation))
    if (performance.now() - sliceStart < sliceMs) continue
    await nextTurn()
    sliceStart = performance.now()
  }
  return pages
}

/** A page with the pages below it, without documents. */
export function presentPage(record: PageRecord, index: PagePlaces, presentation: Presentation): PresentedPage {
  if (record.type === 'group') return presentGroup(record, index, presentation)
  if (record.type === 'document') return presentDocument(record, index, presentation)
  return record.type === 'link' ? presentLink(record, index, presentation) : presentComputed(record, presentation)
}

/** The text of a page in one of its formats. */
export type PageText = { markdown: string } | { document: JSONDocument }

/** A document page, with its text if there is one. */
export function presentDocument(
  record: PageRecord,
  index: PagePlaces,
  presentation: Presentation & { text?: PageText },
): DocumentPage {
  return {
    ...baseFields(record, presentation),
    ...pathFields(record, index),
    type: 'document',
    kind: 'sheet',
    urls: { app: appUrl(record, index, presentation) },
    ...(record.description !== undefined && { description: record.description }),
    ...presentSource(record),
    ...(record.git && presentation.metadata && { git: record.git }),
    layout: presentLayout(record.layout),
    ...(record.cover && { cover: presentCover(record.cover, record.layout) }),
    ...(record.variables && presentation.variables !== false && { variables: record.variables }),
    ...presentMetaLinks(record, index, presentation),
    tags: presentTags(record),
    ...presentation.text,
    pages: children(record, index, presentation),
  }
}

/** The cover of a page. Its texts have a colour where the title stands on it. */
function presentCover(
  cover: Record<string, unknown>,
  { coverSize }: PageLayout = {},
): NonNullable<DocumentPage['cover']> {
  const { textColor, textColorDark, ...look } = { yPos: 0, ...cover } as NonNullable<DocumentPage['cover']>
  if (coverSize !== 'background') return look
  const color = textColor ?? 'white'
  return { ...look, textColor: color, textColorDark: textColorDark ?? color }
}

/** The source of a page's document: stored under an id, or computed. */
function presentSource({ document, computed, computedSeed }: PageRecord) {
  if (computed && computedSeed !== undefined) return { computed: computed as DocumentPage['computed'], computedSeed }
  return { ...(document !== undefined && { documentId: document }) }
}

function appUrl({ id }: PageRecord, index: PagePlaces, { publicUrl, spaceId }: Presentation): string {
  return pageUrl({ id, spaceId, path: index.pathOf(id) }, publicUrl)
}

/** The URL of a page in the app: by path, or by id when the path is too long for a URL. */
export function pageUrl(
  { id, spaceId, path }: { id: string; spaceId: string; path: string },
  publicUrl: string,
): string {
  const encoded = encodeURI(path)
  return `${publicUrl}/s/${spaceId}/${encoded.length > contentLimits.path ? `~/pages/${id}` : encoded}`
}

function presentGroup(record: PageRecord, index: PagePlaces, presentation: Presentation): GroupPage {
  return {
    ...baseFields(record, presentation),
    ...pathFields(record, index),
    type: 'group',
    kind: 'group',
    pages: children(record, index, presentation),
  }
}

function presentLink(record: PageRecord, index: PagePlaces, presentation: Presentation): LinkPage {
  return {
    ...baseFields(record, presentation),
    type: 'link',
    kind: 'link',
    ...linkFields(record, index, presentation),
    ...(record.hidden !== undefined && { hidden: record.hidden }),
  }
}

/**
 * Returns the target and address of a link page: for members, the reference that the target resolves to and the address as it was written;
 * for a visitor, a URL of the application becomes the place that it leads to on their site, else a broken reference.
 */
function linkFields(
  record: PageRecord,
  index: PagePlaces,
  { content, places }: Presentation,
): Pick<LinkPage, 'target' | 'href'> {
  const { href } = record
  const target = linkTarget(record, index)
  const url = places && content && unresolvedApplicationUrl(target, content)
  if (places && url !== undefined) {
    const address = places.get(url)?.url
    return {
      target: visitedReference(url, { kind: 'link', places }),
      ...(address !== undefined && { href: address }),
    }
  }
  const ref = content && referenceOf(target, content)
  return { target: ref ?? { kind: 'url', url: href ?? '' }, ...(href !== undefined && { href }) }
}

/** The target of a link in the page tree, seen from its place there. */
export function linkTarget({ id, href = '' }: PageRecord, index: Pick<PagePlaces, 'pathOf'>): WrittenTarget {
  return { target: href, kind: 'link', page: id, file: `${index.pathOf(id)}.md` }
}

function presentComputed(record: PageRecord, presentation: Presentation): ComputedPage {
  return {
    ...baseFields(record, presentation),
    type: 'computed',
    computed: record.computed as ComputedPage['computed'],
  }
}

/** The pages below a page; groups exist at the root only. */
function children(
  record: PageRecord,
  index: PagePlaces,
  presentation: Presentation,
): (DocumentPage | LinkPage | ComputedPage)[] {
  return index
    .childrenOf(record.id)
    .map(child => presentPage(child, index, presentation))
    .filter(page => page.type !== 'group')
}

/** Visitors learn no conditions, and no values that only hidden text may name: both are of members. */
function baseFields(record: PageRecord, { variables: isMember = true }: Presentation) {
  return {
    id: record.id,
    title: record.title,
    ...(record.linkTitle !== undefined && { linkTitle: record.linkTitle }),
    ...(record.condition !== undefined && record.condition !== '' && isMember && { condition: record.condition }),
    ...(record.emoji !== undefined && { emoji: record.emoji }),
    ...(record.icon !== undefined && { icon: record.icon }),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  }
}

function pathFields(record: PageRecord, index: PagePlaces) {
  return {
    slug: record.slug ?? '',
    path: index.pathOf(record.id),
    ...(record.hidden !== undefined && { hidden: record.hidden }),
    ...(record.noIndex !== undefined && { noIndex: record.noIndex }),
    ...(record.noRobotsIndex !== undefined && { noRobotsIndex: record.noRobotsIndex }),
  }
}

/** A file with a signed download URL, valid for a day at least, or until the site version it was issued for is closed. */
export function presentFile(record: FileRecord, presentation: Presentation): z.input<typeof File> {
  const { id, name, contentType, size, dimensions, git, hash } = record
  const expiresAt = new Date(Date.now() + downloadLifetime)
  const downloadURL = signDownload({
    hash,
    name,
    contentType,
    expiresAt,
    issuedFor: presentation.issuedFor,
    secret: presentation.signingSecret,
    publicUrl: presentation.publicUrl,
  })
  return {
    id,
    name,
    contentType,
    downloadURL,
    size,
    ...(dimensions && { dimensions }),
    ...(git && presentation.metadata && { git }),
  }
}

/** A reusable content, without its document. */
export function presentReusable(record: ReusableRecord, { metadata }: Presentation): z.input<typeof ReusableContent> {
  const { id, title, document, git } = record
  return { id, title, document, ...(git && metadata && { git }) }
}
