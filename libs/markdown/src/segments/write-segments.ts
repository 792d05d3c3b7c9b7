import type { Notation, Piece, Segment, Span } from './model.ts'
import { escapedText } from './raw-text.ts'
import type { Segmented } from './read-segments.ts'
import { placeholdersOf, type ReplyPiece } from './segment-text.ts'

/** New text of a segment; with `isEscaped`, all that could be syntax in it is escaped. */
export interface NewText {
  reply: readonly ReplyPiece[]
  isEscaped: boolean
}

/** The body with new texts in the places of segments, by their index. All else stays as it is, byte for byte. */
export function withTexts({ source, segments }: Segmented, texts: ReadonlyMap<number, NewText>): string {
  return sourceOf({ start: 0, end: source.length }, 0)

  /** A part of the body, where segments from an index on may stand. */
  function sourceOf({ start, end }: Span, from: number): string {
    let at = start
    let text = ''
    for (let index = from; index < segments.length; index += 1) {
      const segment = segments[index]
      if (!segment || segment.start >= end) break
      if (segment.start < at) continue
      text += source.slice(at, segment.start) + segmentText(segment, index)
      at = segment.end
    }
    return text + source.slice(at, end)
  }

  function segmentText(segment: Segment, index: number): string {
    const text = texts.get(index)
    if (!text) return sourceOf(segment, index + 1)
    const placeholders = placeholdersOf(segment.pieces)
    const breaks = breaksOf(segment.pieces).map(({ start, end }) => source.slice(start, end))
    const place = { breaks, count: 0, notation: segment.notation, isEscaped: text.isEscaped }
    const write = (all: readonly ReplyPiece[]): string =>
      all
        .map(piece => {
          if (piece.type === 'text') return plainText(piece.text, place)
          const placeholder = placeholders.get(piece.name)
          if (!placeholder) return ''
          if (placeholder.type === 'object') return sourceOf(placeholder, index + 1)
          return sourceOf(placeholder.open, index + 1) + write(piece.children) + sourceOf(placeholder.close, index + 1)
        })
        .join('')
    return write(trimmedReply(text.reply))
  }
}

interface Place {
  /** The ends of lines as the source writes them; one that is more is written as the last one. */
  breaks: string[]
  count: number
  notation: Notation
  isEscaped: boolean
}

function plainText(text: string, place: Place): string {
  const lines = text.split(/[ \t]*(?:\r?\n[ \t]*)+/)
  const escaped = lines.map(line => (place.isEscaped ? escapedText(line, place.notation) : line))
  return escaped.reduce((all, line) => {
    const lineBreak = place.breaks[place.count] ?? place.breaks.at(-1) ?? ' '
    place.count += 1
    return all + lineBreak + line
  })
}

function breaksOf(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap(piece =>
    piece.type === 'pair' ? breaksOf(piece.children) : piece.type === 'break' ? [piece] : [],
  )
}

/** A reply without blanks at its ends, which the page has already. */
function trimmedReply(reply: readonly ReplyPiece[]): ReplyPiece[] {
  return reply.map((piece, at) => {
    if (piece.type !== 'text') return piece
    const start = at === 0 ? piece.text.trimStart() : piece.text
    return { ...piece, text: at === reply.length - 1 ? start.trimEnd() : start }
  })
}

/** The words that a segment should have with a reply. */
export function wordsOfReply({ reply }: NewText, source: string, pieces: readonly Piece[]): string {
  const placeholders = placeholdersOf(pieces)
  const words = (all: readonly ReplyPiece[]): string =>
    all
      .map(piece => {
        if (piece.type === 'text') return piece.text
        const placeholder = placeholders.get(piece.name)
        return placeholder?.type === 'object' ? (placeholder.plain ?? '') : words(piece.children)
      })
      .join('')
  return words(reply).replace(/\s+/g, ' ').trim()
}

/** The structure of a body without its texts: the source between segments, and the objects of each segment in any order. */
export function structureOf({ source, segments }: Segmented): { between: string[]; objects: string[] } {
  const between: string[] = []
  const objects: string[] = []
  let at = 0
  for (const [index, segment] of segments.entries()) {
    if (segment.start < at) continue
    between.push(source.slice(at, segment.start))
    objects.push(shapeOf(segment.pieces, index))
    at = segment.end
  }
  return { between: [...between, source.slice(at)], objects }

  function shapeOf(pieces: readonly Piece[], index: number): string {
    const shapes = pieces.flatMap(piece => {
      if (piece.type === 'object') return piece.plain === undefined ? [withoutTexts(piece, index)] : []
      if (piece.type !== 'pair') return []
      return [
        [withoutTexts(piece.open, index), shapeOf(piece.children, index), withoutTexts(piece.close, index)].join('\n'),
      ]
    })
    return JSON.stringify(shapes.toSorted())
  }

  function withoutTexts({ start, end }: Span, index: number): string {
    let text = ''
    let from = start
    for (const inner of segments.slice(index + 1, index + 40)) {
      if (inner.start >= end) break
      if (inner.start < from) continue
      text += `${source.slice(from, inner.start)}\0`
      from = inner.end
    }
    return text + source.slice(from, end)
  }
}
