import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import type { Token } from '../code/highlight.ts'
import { boxed, panel, type Flow, type Piece, type Spot } from '../drawing/pieces.ts'
import { colors, sizes } from '../drawing/theme.ts'
import type { Inline } from '../text/style.ts'
import { indentOf, inlineFlow, inside } from './styles.ts'
import { textOf } from './text-of.ts'

const padding = 9
/** A line may end after spaces that are not its indentation, and after what divides a list or a path. */
const mayBreak = /(?<=[^\u00a0])\u00a0+|[,;/&|](?=\S)/g
/** Characters of one line; a longer line is divided, so that memory does not grow with it. */
const maxLineLength = 4_000

/** Code with its title, coloured, in lines that wrap. */
export function codeFlow({ data = {}, nodes = [] }: DocumentBlock, context: Context): Flow {
  const lines = nodes.map(line => textOf(line.object === 'text' ? [] : (line.nodes ?? [])))
  const marked = new Set(nodes.flatMap((line, at) => (isHighlighted(line) ? [at] : [])))
  const title = typeof data['title'] === 'string' && data['title'] !== '' ? data['title'] : undefined
  const language = typeof data['syntax'] === 'string' ? data['syntax'] : undefined
  const options = { marked, isNumbered: data['lineNumbers'] === true, isRaw: data['raw'] === true }
  const place = inside(context, 2 * padding)
  const flow = codeLines(lines, { ...options, title, language }, place)
  const paint = panel(context.canvas, { width: context.width, fill: colors.panel, border: colors.faint })
  return boxed(flow, { left: indentOf(context, place, padding), top: 6, bottom: 7, gap: 9, paint })
}

function isHighlighted(line: DocumentBlock['nodes'] extends (infer Node)[] | undefined ? Node : never): boolean {
  return line.object === 'block' && line.data?.['highlighted'] === true
}

interface CodeOptions {
  title: string | undefined
  language: string | undefined
  marked: Set<number>
  isNumbered: boolean
  isRaw: boolean
}

function* codeLines(lines: readonly string[], options: CodeOptions, context: Context): Flow {
  const { title, language, marked, isNumbered, isRaw } = options
  const { canvas, highlighter } = context
  if (title !== undefined) yield* titleFlow(title, context)
  const tokens = isRaw ? lines.map(text => [{ text }]) : highlighter.lines(lines.join('\n'), language)
  const left = isNumbered ? 8 + String(tokens.length).length * sizes.code * 0.6 : 0
  const place = inside(context, left)
  for (const [at, line] of tokens.entries()) {
    let isFirst = true
    for (const piece of lineFlow(line, place)) {
      const number = isNumbered && isFirst ? String(at + 1) : undefined
      yield codePiece(piece, { number, left, isMarked: marked.has(at) }, context)
      isFirst = false
    }
  }

  function codePiece(
    piece: Piece,
    look: { number: string | undefined; left: number; isMarked: boolean },
    { width }: Context,
  ): Piece {
    const draw = (spot: Spot) => {
      const { x, y } = spot
      if (look.isMarked)
        canvas.rect({ x: x - padding, y, width: width + 2 * padding, height: piece.height }, { fill: '#fef9c3' })
      if (look.number !== undefined) {
        const style = { size: sizes.code, color: colors.quiet }
        const wide = canvas.labelWidth(look.number, style)
        canvas.label(look.number, { x: x + look.left - 8 - wide, y: y + piece.height * 0.68 }, style)
      }
      piece.draw({ ...spot, x: x + look.left })
    }
    return { height: piece.height, gap: 0, draw }
  }
}

function* titleFlow(title: string, context: Context): Flow {
  const inlines: Inline[] = [
    { kind: 'text', text: title, style: { size: sizes.small, color: colors.quiet, bold: true } },
  ]
  for (const piece of inlineFlow(inlines, { ...context, size: sizes.small }, { gap: 0 })) {
    yield { ...piece, keep: true }
  }
  const line = { height: 7, gap: 0, keep: true }
  yield {
    ...line,
    draw: ({ x, y }) =>
      context.canvas.line(
        { x: x - padding, y: y + 2 },
        { x: x + context.width + padding, y: y + 2 },
        { color: colors.faint },
      ),
  }
}

/** A line keeps its spaces, and wraps after the last character that fits. */
function* lineFlow(tokens: readonly Token[], context: Context): Flow {
  const inlines = tokens.flatMap(({ text, color = colors.text, bold = false }): Inline[] => {
    const style = { size: sizes.code, color, mono: true, bold }
    const unbroken = text.replaceAll('\t', '    ').replaceAll(' ', '\u00a0').replace(mayBreak, '$&\u200b')
    return inParts(unbroken).flatMap((part, at): Inline[] => {
      const inline: Inline = { kind: 'text', text: part, style }
      return at === 0 ? [inline] : [{ kind: 'break' }, inline]
    })
  })
  for (const piece of inlineFlow(inlines, { ...context, size: sizes.code }, { lead: 1.5, gap: 0 })) {
    const { keep: _, ...line } = piece
    yield line
  }
}

function inParts(text: string): string[] {
  if (text.length <= maxLineLength) return [text]
  return Array.from({ length: Math.ceil(text.length / maxLineLength) }, (_, at) =>
    text.slice(at * maxLineLength, (at + 1) * maxLineLength),
  )
}
