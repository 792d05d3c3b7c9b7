import { sheet } from '../drawing/theme.ts'
import { shortened } from './sheets.ts'

interface Item {
  level: number
  item: PDFKit.PDFOutline
}

/** Entries of the outline; a book with more has them for its pages only. */
const most = 20_000

/** The outline that readers show beside the pages: pages of the book, and the headings of each. */
export class Outline {
  readonly #doc: PDFKit.PDFDocument
  readonly #stack: Item[] = []
  #count = 0

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc
  }

  /** Adds an entry below the last one of a lower level. */
  add(title: string, level: number, y: number): void {
    if (this.#count++ > most) return
    while ((this.#stack.at(-1)?.level ?? -1) >= level) this.#stack.pop()
    const parent = this.#stack.at(-1)?.item ?? this.#doc.outline
    // The types of pdfkit lack the place; it measures `left` from the right edge.
    const options = { top: Math.max(0, y - 8), left: sheet.width } as object
    this.#stack.push({ level, item: parent.addItem(shortened(title, 200), options) })
  }
}
