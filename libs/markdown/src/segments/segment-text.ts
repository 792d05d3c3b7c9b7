import { decodeEntities } from '../syntax/attributes.ts'
import type { Piece, Segment } from './model.ts'

/** What a translator answered: text, and placeholders by the number that they were sent with. */
export type ReplyPiece = { type: 'text'; text: string } | { type: 'placeholder'; id: number; children: ReplyPiece[] }

/**
 * The text of a segment as it is sent: `<x1>…</x1>` for what has text in it, `<x2/>` for what has none, in the order of the segment;
 * `&`, `<` and `>` as character references.
 */
export function textOfSegment(source: string, { pieces }: Pick<Segment, 'pieces'>): string {
  let next = 1
  const write = (all: readonly Piece[]): string =>
    all
      .map(piece => {
        if (piece.type === 'text') return writtenText(source.slice(piece.start, piece.end))
        if (piece.type === 'break') return '\n'
        const id = next++
        return piece.type === 'object' ? `<x${id}/>` : `<x${id}>${write(piece.children)}</x${id}>`
      })
      .join('')
  return write(pieces)
}

/** Writes text into the text of a segment. */
export function writtenText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

/** Pieces by the numbers of their placeholders. */
export function placeholdersOf(pieces: readonly Piece[]): Map<number, Piece & { type: 'object' | 'pair' }> {
  const found = new Map<number, Piece & { type: 'object' | 'pair' }>()
  const add = (all: readonly Piece[]): void => {
    for (const piece of all) {
      if (piece.type !== 'object' && piece.type !== 'pair') continue
      found.set(found.size + 1, piece)
      if (piece.type === 'pair') add(piece.children)
    }
  }
  add(pieces)
  return found
}

const tag = /<(\/?)x(\d{1,6})\s*(\/?)>|<[^>]*>?/g

/** Reads the text of a segment that came back; undefined when it holds tags that do not belong there, or that are not paired. */
export function readReply(text: string): ReplyPiece[] | undefined {
  const root: ReplyPiece[] = []
  const stack: { id: number; children: ReplyPiece[] }[] = [{ id: 0, children: root }]
  let at = 0
  const add = (piece: ReplyPiece) => void stack.at(-1)?.children.push(piece)
  const addText = (end: number) => {
    if (end > at) add({ type: 'text', text: decodeEntities(text.slice(at, end)) })
  }
  for (const match of text.matchAll(tag)) {
    const [written, slash, number, isEmpty] = match
    if (number === undefined) return undefined
    addText(match.index)
    at = match.index + written.length
    const id = Number(number)
    if (slash) {
      if (stack.pop()?.id !== id || stack.length === 0) return undefined
      continue
    }
    const piece = { type: 'placeholder' as const, id, children: [] }
    add(piece)
    if (!isEmpty) stack.push(piece)
  }
  addText(text.length)
  return stack.length === 1 ? root : undefined
}

/** Whether a reply has every placeholder of a segment once, within the same one, and no text in those that have none. */
export function hasPlaceholders(reply: readonly ReplyPiece[], pieces: readonly Piece[]): boolean {
  const expected = new Map<number, number>()
  const known = placeholdersOf(pieces)
  const addPlaces = (all: readonly Piece[], parent: number): void => {
    for (const piece of all) {
      if (piece.type !== 'object' && piece.type !== 'pair') continue
      const id = expected.size + 1
      expected.set(id, parent)
      if (piece.type === 'pair') addPlaces(piece.children, id)
    }
  }
  addPlaces(pieces, 0)
  let seen = 0
  const fits = (all: readonly ReplyPiece[], parent: number): boolean =>
    all.every(piece => {
      if (piece.type === 'text') return true
      const isKnown = expected.get(piece.id) === parent
      expected.delete(piece.id)
      seen += 1
      if (known.get(piece.id)?.type === 'object') return isKnown && piece.children.length === 0
      return isKnown && fits(piece.children, piece.id)
    })
  return fits(reply, 0) && expected.size === 0 && seen === known.size
}
