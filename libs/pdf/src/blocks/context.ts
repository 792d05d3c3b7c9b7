import type { DocumentBlock } from '@recto/markdown/schema'
import type { Canvas, Rect } from '../drawing/canvas.ts'
import type { Highlighter } from '../code/highlight.ts'
import type { PageContent } from '../model/model.ts'
import type { Flow } from '../drawing/pieces.ts'
import type { InlineObject } from '../text/style.ts'

/** A picture that is in the document already. */
export interface Picture {
  /** Pixels. */
  width: number
  height: number
  draw(rect: Rect): void
}

/** Pictures and formulas of the blocks that are laid out now; undefined for what cannot be shown. */
export interface Assets {
  picture(ref: unknown): Picture | undefined
  /** Why a picture is not shown. */
  fault(ref: unknown): string | undefined
  math(formula: string, style: { size: number; isDisplay: boolean; width: number }): InlineObject | undefined
}

/** Footnotes of a page. */
export interface Notes {
  /** The number of a new note. */
  add(body: DocumentBlock[]): number
  destinationOf(number: number): string
}

/** The pages that links can lead to. */
export interface BookLinks {
  has(page: string): boolean
  /** Remembers that a link leads to a destination; the page is where it leads when the destination is nowhere. */
  linkTo(destination: string, page: string): string
}

/** The surroundings that the layout of a block needs. */
export interface Context {
  canvas: Canvas
  /** Room from left to right. */
  width: number
  /** The page that the block is on. */
  page: string
  content: PageContent
  assets: Assets
  notes: Notes
  book: BookLinks
  highlighter: Highlighter
  /** Lays blocks out, one below the other. */
  layout(blocks: readonly DocumentBlock[], context: Context): Flow
  /** The name of the destination that an anchor of the page is. */
  anchorName(id: string): string
  /** Makes a place of the sheet the destination of an anchor of the page. */
  anchor(id: string, y: number): void
  /** Adds a heading to the outline, at a place of the sheet. */
  outline(title: string, level: number, y: number): void
  /** Blocks around this one. */
  depth: number
  /** Size of text. */
  size: number
  color: string
}
