import PDFDocument from 'pdfkit'
import { Fonts, type Run } from './fonts.ts'
import type { Book } from '../model/model.ts'
import { sheet } from './theme.ts'

/** A rectangle; `y` is its top. */
export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** How a rectangle is drawn. */
export interface RectStyle {
  fill?: string
  stroke?: string
  radius?: number
}

/** The target of a link: a named destination of the document, or a URL. */
export type LinkTo = { destination: string } | { url: string }

/** The document that is drawn on. */
export class Canvas {
  readonly doc: PDFKit.PDFDocument
  readonly fonts: Fonts

  constructor({ title, date, fonts }: Pick<Book, 'title' | 'date' | 'fonts'>) {
    this.doc = new PDFDocument({
      size: [sheet.width, sheet.height],
      margin: 0,
      autoFirstPage: false,
      pdfVersion: '1.7',
      displayTitle: true,
      info: { Title: title, CreationDate: date, ModDate: date, Producer: 'Recto', Creator: 'Recto' },
    })
    this.fonts = new Fonts(this.doc, fonts)
  }

  /** Draws a run; `y` is its baseline. */
  text(
    run: Pick<Run, 'font' | 'text'>,
    { x, y }: { x: number; y: number },
    { size, color }: { size: number; color: string },
  ): void {
    this.doc.font(run.font).fontSize(size).fillColor(color)
    this.doc.text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic' })
  }

  /** Draws text of a face that needs no layout, on one line; returns its width. */
  label(text: string, at: { x: number; y: number }, style: { size: number; color: string; bold?: boolean }): number {
    let width = 0
    for (const run of this.fonts.measure(text, style.bold ? 'bold' : 'regular').runs) {
      this.text(run, { x: at.x + width, y: at.y }, style)
      width += run.advance * style.size
    }
    return width
  }

  /** The width of a label. */
  labelWidth(text: string, { size, bold }: { size: number; bold?: boolean }): number {
    return this.fonts.measure(text, bold ? 'bold' : 'regular').advance * size
  }

  rect({ x, y, width, height }: Rect, { fill, stroke, radius = 0 }: RectStyle): void {
    const path = () =>
      radius > 0 ? this.doc.roundedRect(x, y, width, height, radius) : this.doc.rect(x, y, width, height)
    if (fill !== undefined) path().fill(fill)
    if (stroke !== undefined) path().lineWidth(0.6).stroke(stroke)
  }

  line(from: { x: number; y: number }, to: { x: number; y: number }, style: { color: string; width?: number }): void {
    const { color, width = 0.6 } = style
    this.doc.moveTo(from.x, from.y).lineTo(to.x, to.y).lineWidth(width).stroke(color)
  }

  link({ x, y, width, height }: Rect, to: LinkTo): void {
    if ('url' in to) this.doc.link(x, y, width, height, to.url)
    else this.doc.goTo(x, y, width, height, to.destination)
  }
}
