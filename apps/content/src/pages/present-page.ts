import { signDownload } from '@recto/blobs'
import { contentLimits, type File, type Page, type ReusableContent } from '@recto/contracts'
import type { z } from 'zod'
import type { PageIndex, PageRecord } from './page-tree.ts'
import type { FileRecord, ReusableRecord } from '../store/revisions/records.ts'

type PresentedPage = z.input<typeof Page>
type DocumentPage = Extract<PresentedPage, { type: 'document' }>
type GroupPage = Extract<PresentedPage, { type: 'group' }>
type LinkPage = Extract<PresentedPage, { type: 'link' }>
type ComputedPage = Extract<PresentedPage, { type: 'computed' }>

/** How a reader asked for content. */
export interface Reading {
  spaceId: string
  publicUrl: string
  signingSecret: string
  /** Whether git metadata is shown. */
  metadata: boolean
}

const defaultLayout = {
  width: 'default' as const,
  cover: true,
  coverSize: 'hero' as const,
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
}
const downloadLife = 24 * 60 * 60 * 1000

/** The whole tree, without bodies. */
export function presentTree(index: PageIndex, reading: Reading): PresentedPage[] {
  return index.roots.map(record => presentPage(record, index, reading))
}

/** One page with those below it, without bodies. */
export function presentPage(record: PageRecord, index: PageIndex, reading: Reading): PresentedPage {
  if (record.type === 'group') return presentGroup(record, index, reading)
  if (record.type === 'document') return presentDocument(record, index, reading)
  return record.type === 'link' ? presentLink(record) : presentComputed(record)
}

/** One document page; `markdown` is its file. */
export function presentDocument(
  record: PageRecord,
  index: PageIndex,
  reading: Reading & { markdown?: string },
): DocumentPage {
  return {
    ...named(record),
    ...placed(record, index),
    type: 'document',
    kind: 'sheet',
    urls: { app: appUrl(record, index, reading) },
    ...(record.description !== undefined && { description: record.description }),
    ...(record.document !== undefined && { documentId: record.document }),
    ...(record.git && reading.metadata && { git: record.git }),
    layout: { ...defaultLayout, ...record.layout },
    ...(record.cover && { cover: { yPos: 0, ...record.cover } }),
    ...(record.variables && { variables: record.variables }),
    ...(reading.markdown !== undefined && { markdown: reading.markdown }),
    pages: children(record, index, reading),
  }
}

/** A page whose path is too long for a URL is named by its id. */
function appUrl({ id }: PageRecord, index: PageIndex, { publicUrl, spaceId }: Reading): string {
  const path = encodeURI(index.pathOf(id))
  return `${publicUrl}/s/${spaceId}/${path.length > contentLimits.path ? `~/pages/${id}` : path}`
}

function presentGroup(record: PageRecord, index: PageIndex, reading: Reading): GroupPage {
  return {
    ...named(record),
    ...placed(record, index),
    type: 'group',
    kind: 'group',
    pages: children(record, index, reading),
  }
}

function presentLink(record: PageRecord): LinkPage {
  const target = { kind: 'url', url: record.href ?? '' } as const
  return {
    ...named(record),
    type: 'link',
    kind: 'link',
    target,
    ...(record.href !== undefined && { href: record.href }),
    ...(record.hidden !== undefined && { hidden: record.hidden }),
  }
}

function presentComputed(record: PageRecord): ComputedPage {
  return { ...named(record), type: 'computed', computed: record.computed as ComputedPage['computed'] }
}

/** Groups stand at the root only, so none is among the children. */
function children(record: PageRecord, index: PageIndex, reading: Reading): (DocumentPage | LinkPage | ComputedPage)[] {
  return index
    .childrenOf(record.id)
    .map(child => presentPage(child, index, reading))
    .filter(page => page.type !== 'group')
}

function named(record: PageRecord) {
  return {
    id: record.id,
    title: record.title,
    ...(record.emoji !== undefined && { emoji: record.emoji }),
    ...(record.icon !== undefined && { icon: record.icon }),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  }
}

function placed(record: PageRecord, index: PageIndex) {
  return {
    slug: record.slug ?? '',
    path: index.pathOf(record.id),
    ...(record.hidden !== undefined && { hidden: record.hidden }),
    ...(record.noIndex !== undefined && { noIndex: record.noIndex }),
    ...(record.noRobotsIndex !== undefined && { noRobotsIndex: record.noRobotsIndex }),
  }
}

/** A file with a download URL that works for a day at least. */
export function presentFile(record: FileRecord, reading: Reading): z.input<typeof File> {
  const { id, name, contentType, size, dimensions, git, hash } = record
  const expiresAt = new Date(Date.now() + downloadLife)
  const downloadURL = signDownload({
    hash,
    name,
    contentType,
    expiresAt,
    secret: reading.signingSecret,
    publicUrl: reading.publicUrl,
  })
  return {
    id,
    name,
    contentType,
    downloadURL,
    size,
    ...(dimensions && { dimensions }),
    ...(git && reading.metadata && { git }),
  }
}

export function presentReusable(record: ReusableRecord, { metadata }: Reading): z.input<typeof ReusableContent> {
  const { id, title, document, git } = record
  return { id, title, document, ...(git && metadata && { git }) }
}
