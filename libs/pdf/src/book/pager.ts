import type { Piece } from '../drawing/pieces.ts'
import { heightOf } from '../drawing/pieces.ts'
import { area, sheet } from '../drawing/theme.ts'

/** Pieces that may be kept together; more of them go on as they come. */
const maxKept = 24

/** Puts pieces on sheets, from top to bottom. */
export class Pager {
  readonly #newSheet: () => void
  #y: number = sheet.top
  #isEmpty = false
  #kept: Piece[] = []

  /** `newSheet` adds a sheet to the document. */
  constructor(newSheet: () => void) {
    this.#newSheet = newSheet
  }

  /** Goes on on a new sheet. */
  startSheet(): void {
    this.flush()
    this.#turn()
  }

  /** Places a piece, after the pieces that stay with it. */
  add(piece: Piece): void {
    this.#kept.push(piece)
    if (piece.keep && this.#kept.length < maxKept) return
    this.flush()
  }

  /** Places the pieces that wait for the one after them. */
  flush(): void {
    const fragments = this.#kept
    this.#kept = []
    const height = heightOf(fragments)
    if (height <= area.height && !this.#fits(height + (fragments[0]?.gap ?? 0))) this.#turn(fragments[0]?.head)
    for (const piece of fragments) this.#place(piece)
  }

  #place(piece: Piece): void {
    if (!this.#fits(piece.height + piece.gap)) this.#turn(piece.head)
    const gap = this.#isEmpty ? 0 : piece.gap
    this.#y += gap
    piece.draw({ x: sheet.left, y: this.#y, gap })
    this.#y += piece.height
    this.#isEmpty = false
  }

  #fits(height: number): boolean {
    return this.#isEmpty || this.#y + height <= sheet.height - sheet.bottom + 0.01
  }

  #turn(head: Piece[] = []): void {
    this.#newSheet()
    this.#y = sheet.top
    this.#isEmpty = true
    for (const piece of head) {
      piece.draw({ x: sheet.left, y: this.#y, gap: 0 })
      this.#y += piece.height
    }
  }
}
