import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context, Notes } from '../blocks/context.ts'
import { shifted, withGap, withMark, type Flow } from '../drawing/pieces.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { inside } from '../blocks/styles.ts'

/** Footnotes of one page of the book, which stand at its end. */
export class PageNotes implements Notes {
  readonly #page: string
  readonly #bodies: DocumentBlock[][] = []

  constructor(page: string) {
    this.#page = page
  }

  add(body: DocumentBlock[]): number {
    return this.#bodies.push(body)
  }

  destinationOf(number: number): string {
    return `note:${this.#page}:${number}`
  }

  /** The notes, behind a short line. */
  *flow(context: Context, destination: (name: string, y: number) => void): Flow {
    const { canvas } = context
    if (this.#bodies.length > 0) {
      const draw = ({ x, y }: { x: number; y: number }) =>
        canvas.line({ x, y: y + 2 }, { x: x + 110, y: y + 2 }, { color: colors.line })
      yield { height: 5, gap: 20, keep: true, draw }
    }
    const place = { ...inside(context, 18), size: sizes.small, color: colors.quiet }
    for (const [at, body] of this.#bodies.entries()) {
      const number = String(at + 1)
      const flow = shifted(withGap(context.layout(body, place), 4), 18)
      yield* withMark(flow, ({ x, y }) => {
        canvas.label(number, { x: x + 4, y: y + sizes.small * 1.1 }, { size: sizes.small * 0.85, color: colors.quiet })
        destination(this.destinationOf(at + 1), y)
      })
    }
  }
}
