/** A part of a text: from an offset up to another one. */
export interface Span {
  start: number
  end: number
}

/** How text is written where a segment stands. */
export type Notation = 'markdown' | 'html' | 'attribute' | 'tag'

/** A piece of a segment. Objects and pairs travel as placeholders. A pair has its tags around what it holds. */
export type Piece = Span &
  (
    | { type: 'text' }
    /** The end of a line that goes on in the next one, with the markers of the containers before that. */
    | { type: 'break' }
    /** Anything but text; `plain` is the character that an escape or a character reference stands for. */
    | { type: 'object'; plain?: string }
    | { type: 'pair'; open: Span; close: Span; children: Piece[] }
  )

/** A text of a page that is translated as a whole. */
export interface Segment extends Span {
  notation: Notation
  pieces: Piece[]
}

const isBlank = (text: string) => /^\s*$/.test(text)

/** Whether there is a word in pieces: what has none is not translated. */
export function hasWords(source: string, pieces: readonly Piece[]): boolean {
  return pieces.some(piece => {
    if (piece.type === 'text') return /\p{L}/u.test(source.slice(piece.start, piece.end))
    return piece.type === 'pair' && hasWords(source, piece.children)
  })
}

/** The words of pieces, with single blanks between them. */
export function wordsOf(source: string, pieces: readonly Piece[]): string {
  const words = (all: readonly Piece[]): string =>
    all
      .map(piece => {
        if (piece.type === 'text') return source.slice(piece.start, piece.end)
        if (piece.type === 'break') return ' '
        return piece.type === 'pair' ? words(piece.children) : (piece.plain ?? '')
      })
      .join('')
  return words(pieces).replace(/\s+/g, ' ').trim()
}

/** A segment from its first to its last piece that is more than blanks; undefined when it has no words. */
export function segmentOf(source: string, notation: Notation, all: readonly Piece[]): Segment | undefined {
  if (!hasWords(source, all)) return undefined
  const pieces = [...all]
  const isEdge = (piece: Piece | undefined) =>
    piece?.type === 'break' || (piece?.type === 'text' && isBlank(source.slice(piece.start, piece.end)))
  while (isEdge(pieces[0])) pieces.shift()
  while (isEdge(pieces.at(-1))) pieces.pop()
  const first = pieces[0]
  const last = pieces.at(-1)
  if (!first || !last) return undefined
  const text = source.slice(first.start, last.end)
  const start = first.type === 'text' ? first.start + text.length - text.trimStart().length : first.start
  const end = last.type === 'text' ? last.end - (text.length - text.trimEnd().length) : last.end
  pieces[0] = { ...first, start }
  pieces[pieces.length - 1] = { ...(pieces.at(-1) ?? last), end }
  return { notation, pieces, start, end }
}
