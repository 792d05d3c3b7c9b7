import { abbreviate } from '@recto/text'
import type { Canvas } from '../drawing/canvas.ts'
import { BookFailure, destinationOf } from '../model/model.ts'
import { colors, sheet } from '../drawing/theme.ts'

/** Fields of pdfkit for a page and the tree of pages, which its types lack. */
interface PageTree {
  _root: { data: { Pages: { data: { Kids: unknown[] } }; PageLabels?: unknown } }
  page: { dictionary: unknown }
}

/** The sheets of a book: numbers in their footers, and the places that links lead to. */
export class Sheets {
  readonly #canvas: Canvas
  readonly #most: number
  readonly #title: string
  readonly #destinations = new Set<string>()
  readonly #wanted = new Map<string, string>()
  readonly #starts = new Map<string, { page: unknown; number: number }>()
  #count = 0
  #footer: string | undefined

  constructor(canvas: Canvas, { title, maxSheets }: { title: string; maxSheets: number }) {
    this.#canvas = canvas
    this.#title = title
    this.#most = maxSheets
  }

  get count(): number {
    return this.#count
  }

  /** Adds a sheet with its number. */
  add(number: string): void {
    if (this.#count >= this.#most) throw new BookFailure(`The PDF would have more than ${this.#most} pages`)
    this.finish()
    this.#count++
    this.#canvas.doc.addPage()
    this.#footer = number
  }

  /** Draws the footer of the last sheet, which is read behind what is on it. */
  finish(): void {
    if (this.#footer !== undefined) this.#drawFooter(this.#footer)
    this.#footer = undefined
  }

  /** Adds a sheet without a footer. */
  addBare(): void {
    this.#count++
    this.#canvas.doc.addPage()
  }

  /** A page of the book begins on the sheet that was added last. */
  begin(page: string, number: number): void {
    this.#starts.set(page, { page: this.#tree.page, number })
    this.destination(destinationOf(page), sheet.top - 20)
  }

  /** The number of the sheet on which a page of the book begins. */
  numberOf(page: string): number | undefined {
    return this.#starts.get(page)?.number
  }

  /** Makes a place of the sheet one that links lead to; of several of one name, the first is. */
  destination(name: string, y: number): void {
    if (this.#destinations.has(name)) return
    this.#destinations.add(name)
    this.#canvas.doc.addNamedDestination(name, 'XYZ', 0, Math.max(0, y - 8), null as never)
  }

  /** Remembers where a link leads, so that none leads nowhere. */
  want(name: string, page: string): string {
    this.#wanted.set(name, page)
    return name
  }

  /** Lets links to places that are nowhere lead to the begin of their page. */
  finishLinks(): void {
    const { doc } = this.#canvas
    const last = doc.page
    for (const [name, page] of this.#wanted) {
      const start = this.#starts.get(page)
      if (this.#destinations.has(name) || !start) continue
      doc.page = start.page as typeof doc.page
      this.destination(name, sheet.top - 20)
    }
    doc.page = last
  }

  /** Moves the last sheets, which are the table of contents, behind the title, and numbers sheets as their footers do. */
  moveToFront(count: number, hasTitle: boolean): void {
    const { data } = this.#tree._root
    const kids = data.Pages.data.Kids
    const titles = hasTitle ? 1 : 0
    kids.splice(titles, 0, ...kids.splice(kids.length - count, count))
    const front = titles + count
    const labels = [...(front > 0 ? [0, { S: 'r' }] : []), front, { S: 'D' }]
    data.PageLabels = { Nums: labels }
  }

  get #tree(): PageTree {
    return this.#canvas.doc as unknown as PageTree
  }

  #drawFooter(number: string): void {
    const style = { size: 8, color: colors.quiet }
    const y = sheet.height - 36
    const left = sheet.left
    const right = sheet.width - sheet.right
    this.#canvas.line({ x: left, y: y - 14 }, { x: right, y: y - 14 }, { color: colors.faint })
    this.#canvas.label(shortened(this.#title, 80), { x: left, y }, style)
    this.#canvas.label(number, { x: right - this.#canvas.labelWidth(number, style), y }, style)
  }
}

/** Text of at most so many characters. */
export function shortened(text: string, length: number): string {
  return abbreviate(text.replaceAll(/\s+/g, ' ').trim(), length)
}
