import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import { BookAssets } from './assets.ts'
import { conditionLine } from '../blocks/containers.ts'
import { layoutBlocks } from '../blocks/index.ts'
import { inlineFlow } from '../blocks/styles.ts'
import { Canvas } from '../drawing/canvas.ts'
import { openHighlighter } from '../code/highlight.ts'
import type { Context } from '../blocks/context.ts'
import {
  destinationOf,
  type Book,
  type BookPage,
  type BookResult,
  type BookSource,
  type PageContent,
} from '../model/model.ts'
import { Pager } from './pager.ts'
import type { Flow } from '../drawing/pieces.ts'
import { textParts } from '../text/text-parts.ts'
import { area, colors, sizes } from '../drawing/theme.ts'
import { contentsFlow, drawTitle } from './front.ts'
import { PageNotes } from './notes.ts'
import { Outline } from './outline.ts'
import { Sheets } from './sheets.ts'

/** Pieces that are placed before what was drawn is written. */
const perTurn = 400

interface Tools {
  book: Book
  source: BookSource
  canvas: Canvas
  sheets: Sheets
  outline: Outline
  assets: BookAssets
  highlighter: Context['highlighter']
  /** Waits until what was drawn is written. */
  settle(): Promise<void>
}

/** Writes the PDF of a book: a title, a table of contents and all pages, one after another, so that memory does not grow with their number. */
export async function makeBook(book: Book, source: BookSource, output: Writable): Promise<BookResult> {
  const canvas = new Canvas(book)
  const { doc } = canvas
  const finished = once(output, 'finish')
  // Reported where it is awaited; until then, `settle` sees that nothing is written any more.
  finished.catch(() => undefined)
  doc.pipe(output)
  const tools: Tools = {
    book,
    source,
    canvas,
    sheets: new Sheets(canvas, { title: book.title, maxSheets: book.limits.maxSheets }),
    outline: new Outline(doc),
    assets: new BookAssets(canvas, source, book.limits),
    highlighter: await openHighlighter(),
    settle: async () => {
      await nextTurn()
      while (doc.readableLength > 1_000_000 && !output.destroyed) await nextTurn()
      if (output.destroyed) throw output.errored ?? new Error('The PDF cannot be written')
    },
  }
  const { sheets } = tools
  const hasFront = book.pages.length !== 1
  if (hasFront) {
    sheets.addBare()
    drawTitle(book, canvas)
  }
  const pager = new Pager(() => sheets.add(String(sheets.count + (hasFront ? 0 : 1))))
  await addPages(pager, tools)
  pager.flush()
  const contents = book.pages.length > 1 ? await appendContents(tools) : 0
  sheets.finish()
  sheets.finishLinks()
  sheets.moveToFront(contents, hasFront)
  doc.end()
  await finished
  return { sheets: sheets.count, missing: canvas.fonts.missing }
}

/** The text of a page is read while the one before it is laid out. */
async function addPages(pager: Pager, tools: Tools): Promise<void> {
  const { book, source } = tools
  const read = async (page: BookPage | undefined) => (page && !page.isGroup ? source.page(page.id) : undefined)
  let next = read(book.pages[0])
  for (const [at, page] of book.pages.entries()) {
    const content = await next
    next = read(book.pages[at + 1])
    // Reported when its turn comes, unless this page fails.
    next.catch(() => undefined)
    await addPage(page, content, { pager, tools })
  }
}

interface Placement {
  pager: Pager
  tools: Tools
}

async function addPage(page: BookPage, content: PageContent | undefined, { pager, tools }: Placement): Promise<void> {
  const { sheets, outline, book } = tools
  pager.startSheet()
  sheets.begin(page.id, sheets.count - (book.pages.length === 1 ? 0 : 1))
  const context = contextOf(page, content ?? emptyContent, tools)
  outline.add(page.title, page.depth * 4, 0)
  await place(titleFlow(page, context), pager, tools)
  if (!content) return
  for (const block of content.document.nodes) {
    await tools.assets.prepare(block, content)
    await place(layoutBlocks([block], context), pager, tools)
  }
  await place(
    context.notes.flow(context, (name, y) => sheets.destination(name, y)),
    pager,
    tools,
  )
}

const emptyContent: PageContent = {
  document: { object: 'document', data: { schemaVersion: 0 }, nodes: [] },
  targets: {},
}

async function place(flow: Flow, pager: Pager, { settle }: Tools): Promise<void> {
  let count = 0
  for (const piece of flow) {
    pager.add(piece)
    if (++count % perTurn === 0) await settle()
  }
  await settle()
}

function contextOf(page: BookPage, content: PageContent, tools: Tools): Context & { notes: PageNotes } {
  const { assets, book, canvas, highlighter, outline, sheets } = tools
  const ids = new Set(book.pages.map(({ id }) => id))
  return {
    canvas,
    content,
    highlighter,
    width: area.width,
    page: page.id,
    assets: assets.of(content),
    notes: new PageNotes(page.id),
    book: { has: id => ids.has(id), linkTo: (name, target) => sheets.want(name, target) },
    layout: layoutBlocks,
    anchorName: id => destinationOf(page.id, id),
    anchor: (id, y) => sheets.destination(destinationOf(page.id, id), y),
    outline: (title, level, y) => outline.add(title, page.depth * 4 + level, y),
    depth: 0,
    size: sizes.body,
    color: colors.text,
  }
}

function* titleFlow({ title, isGroup }: BookPage, context: Context): Flow {
  const size = isGroup ? sizes.title * 1.2 : sizes.title
  const style = { size, color: colors.heading, bold: true }
  yield* inlineFlow(textParts(title, style), context, { size, lead: 1.25, gap: isGroup ? 0 : 0, keep: true })
  const { description, tags = [], condition } = context.content
  if (description) {
    const lead = { size: 11.5, color: colors.quiet }
    yield* inlineFlow(textParts(description, lead), context, { size: 11.5, gap: 8, keep: true })
  }
  if (tags.length > 0) {
    const quiet = { size: sizes.small, color: colors.quiet }
    yield* inlineFlow(textParts(tags.join('  ·  '), quiet), context, { size: sizes.small, gap: 8, keep: true })
  }
  if (condition) yield* conditionLine(condition, context)
  const draw = ({ x, y }: { x: number; y: number }) =>
    context.canvas.line({ x, y: y + 8 }, { x: x + area.width, y: y + 8 }, { color: colors.faint })
  yield { height: 12, gap: 0, draw }
}

/**
 * Lays out the table of contents after the last page, when all sheet numbers are known, and returns its number of sheets; `moveToFront`
 * then moves them.
 */
async function appendContents(tools: Tools): Promise<number> {
  const { book, sheets, canvas } = tools
  const before = sheets.count
  const pager = new Pager(() => sheets.add(roman(sheets.count - before + 2)))
  pager.startSheet()
  await place(contentsFlow(book, sheets, canvas), pager, tools)
  pager.flush()
  return sheets.count - before
}

/** Writes a number in lower-case Roman numerals, for the sheets of the table of contents. */
function roman(number: number): string {
  const signs: [number, string][] = [
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ]
  let rest = number
  let text = ''
  for (const [value, sign] of signs) {
    for (; rest >= value; rest -= value) text += sign
  }
  return text
}
