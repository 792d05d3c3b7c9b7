import { decodeEntities } from '../syntax/attributes.ts'
import type { Piece, Segment } from './model.ts'

/** Part of a translator's answer: text, or a placeholder by the name that it was sent with. */
export type ReplyPiece = { type: 'text'; text: string } | { type: 'placeholder'; name: string; children: ReplyPiece[] }

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

/** Pieces by the names of their placeholders. */
export function placeholdersOf(pieces: readonly Piece[]): Map<string, Piece & { type: 'object' | 'pair' }> {
  const placeholders = new Map<string, Piece & { type: 'object' | 'pair' }>()
  const add = (all: readonly Piece[]): void => {
    for (const piece of all) {
      if (piece.type !== 'object' && piece.type !== 'pair') continue
      placeholders.set(`x${placeholders.size + 1}`, piece)
      if (piece.type === 'pair') add(piece.children)
    }
  }
  add(pieces)
  return placeholders
}

const tag = /<(\/?)([xt]\d{1,6})\s*(\/?)>|<[^>]*>?/g

/** Reads the text of a segment that came back; undefined when it holds tags that do not belong there, or that are not paired. */
export function readReply(text: string): ReplyPiece[] | undefined {
  const root: ReplyPiece[] = []
  const stack: { name: string; children: ReplyPiece[] }[] = [{ name: '', children: root }]
  let at = 0
  const add = (piece: ReplyPiece) => void stack.at(-1)?.children.push(piece)
  const addText = (end: number) => {
    if (end > at) add({ type: 'text', text: decodeEntities(text.slice(at, end)) })
  }
  for (const match of text.matchAll(tag)) {
    const [token, slash, name, isEmpty] = match
    if (name === undefined) return undefined
    addText(match.index)
    at = match.index + token.length
    if (slash) {
      if (stack.pop()?.name !== name || stack.length === 0) return undefined
      continue
    }
    const piece = { type: 'placeholder' as const, name, children: [] }
    add(piece)
    if (!isEmpty) stack.push(piece)
  }
  addText(text.length)
  return stack.length === 1 ? root : undefined
}

/** Whether a reply has every placeholder of what was sent once, within the same one, with text only in those that had text, and words. */
export function isReplyTo(sent: string, reply: string): boolean {
  const before = readReply(sent)
  const after = readReply(reply)
  if (!before || !after || !/[\p{L}\p{N}]/u.test(reply.replace(tag, ''))) return false
  const expected = placesOf(before)
  const placesAfter = placesOf(after)
  return expected.length === placesAfter.length && new Set([...expected, ...placesAfter]).size === expected.length
}

/** Each placeholder with the one that it is in, and whether it can hold text. */
function placesOf(pieces: readonly ReplyPiece[], parent = ''): string[] {
  return pieces.flatMap(piece => {
    if (piece.type === 'text') return []
    const isEmpty = piece.children.length === 0 ? 'empty' : ''
    return [`${parent} ${piece.name} ${isEmpty}`, ...placesOf(piece.children, piece.name)]
  })
}
