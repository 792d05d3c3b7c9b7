import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signDownload } from '@recto/blobs'
import { layoutVersion, type Book } from '@recto/pdf'
import { Failure } from '@recto/operation'
import { visiblePages } from '../audience/visible-pages.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { PdfContext } from './pdf.context.ts'
import type { PdfOrder } from './pdf-maker.ts'
import type { PdfRow } from './pdf.entity.ts'
import * as pdfs from './pdfs.repository.ts'
import { isExtensionDue, pdfLifetime, pdfState, urlLifetime } from './pdfs.rules.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { bookSource } from './book-source.ts'
import { pagesOfPdf, type RequestedPages } from './pdf-pages.rules.ts'

/** Milliseconds between two polls of a PDF that another process makes. */
const pause = 300
/** Characters of a title in the name of a file. */
const nameLength = 80

/** The pages to print: those of a revision of a space. */
export interface PrintRequest {
  space: SpaceRow
  revision: string
  selection: RequestedPages
}

/** The URL of a PDF, which is made now unless it is there. */
export async function pdfUrl(request: PrintRequest, context: PdfContext): Promise<{ url: string }> {
  const order = await orderOf(request, context)
  const row = await madePdf(order, context)
  const { publicUrl, signingSecret: secret } = context
  const name = `${
    order.book.title
      .slice(0, nameLength)
      .replaceAll(/[\p{Cc}\p{Cs}/\\]/gu, ' ')
      .trim() || 'content'
  }.pdf`
  const expiresAt = new Date(Date.now() + urlLifetime)
  return { url: signDownload({ hash: row.hash, name, contentType: 'application/pdf', expiresAt, secret, publicUrl }) }
}

async function orderOf({ space, revision: id, selection }: PrintRequest, context: PdfContext): Promise<PdfOrder> {
  const { db, publicUrl, printing } = context
  const revision = await revisions.get(db, id)
  const index = await visiblePages(context, revision)
  const pages = pagesOfPdf(index, selection)
  if (!pages) throw new Failure('not_found', 'There is no such page with a text')
  const pageTitle = selection.page === undefined ? undefined : index.get(selection.page)?.title
  const book: Book = {
    title: pageTitle ?? space.title,
    ...(pageTitle !== undefined && { subtitle: space.title }),
    date: revision.createdAt,
    pages,
    limits: printing.limits,
    fonts: printing.fonts,
  }
  // Everybody who can read the space reads the same, so a PDF that is made for one is valid for all.
  const identity = [
    layoutVersion,
    revision.id,
    selection.page ?? null,
    selection.only,
    space.title,
    publicUrl,
    printing.limits,
    printing.fonts,
  ]
  const key = createHash('sha256').update(JSON.stringify(identity)).digest('base64url')
  const { maxImageBytes } = printing.limits
  const content = { organization: space.organizationId, revision, pages: index, maxImageBytes }
  return { key, spaceId: space.id, book, source: bookSource(content, context) }
}

/** Waits until a PDF is made, but not for ever. */
async function madePdf(order: PdfOrder, context: PdfContext): Promise<PdfRow & { hash: string }> {
  const { db, pdfMaker, printing } = context
  const end = Date.now() + printing.wait
  for (;;) {
    const row = await pdfs.find(db, order.key)
    const state = pdfState(row, new Date())
    if (row?.hash && state === 'made') return extendExpiry({ ...row, hash: row.hash }, context)
    if (row?.fault && state === 'failed') throw new Failure('too_large', row.fault)
    const remainingMs = end - Date.now()
    if (remainingMs <= 0) throw new Failure('unavailable', 'The PDF is still being made; ask again', { retryAfter: 10 })
    if (state === 'leased') await sleep(Math.min(pause, remainingMs))
    else await within(remainingMs, pdfMaker.make(order))
  }
}

/** Waits for work, at most for the given milliseconds. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const done = new AbortController()
  const timer = sleep(milliseconds, undefined, { signal: done.signal }).catch(() => undefined)
  try {
    await Promise.race([work, timer])
  } finally {
    done.abort()
  }
}

/** Writes a later time of expiry to a PDF that is used again. */
async function extendExpiry<Row extends PdfRow>(row: Row, { transaction }: PdfContext): Promise<Row> {
  const now = new Date()
  const expiresAt = new Date(now.getTime() + pdfLifetime)
  if (isExtensionDue(row, now)) await transaction(tx => pdfs.update(tx, row.key, { expiresAt }))
  return row
}
