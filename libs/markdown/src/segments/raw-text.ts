import { decodeEntities, decodeEscapes } from '../syntax/attributes.ts'
import type { Notation, Piece, Span } from './model.ts'

/** Escapes, character references, expressions and tags, and breaks with the markers of the containers that the next line is in. */
const token =
  /(\\[!-/:-@[-`{-~])|(&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{0,31});)|(\{\{[^{}\n]*\}\}|\{%[^\n]*?%\})|([ \t]*\n[ \t>]*)/g

/** Splits text as it is written; what the notation writes in place of a character is an object, so that it stays as it is. */
export function rawPieces(source: string, { start, end }: Span, notation: Notation): Piece[] {
  const pieces: Piece[] = []
  const raw = source.slice(start, end)
  let at = 0
  const text = (to: number) => {
    if (to > at) pieces.push({ type: 'text', start: start + at, end: start + to })
  }
  for (const match of raw.matchAll(token)) {
    const [matchText, escape, reference, expression, lineBreak] = match
    const isEscape = escape !== undefined && (notation === 'markdown' || notation === 'tag')
    const isReference = reference !== undefined && notation !== 'tag'
    if (!isEscape && !isReference && expression === undefined && lineBreak === undefined) continue
    text(match.index)
    at = match.index + matchText.length
    const span = { start: start + match.index, end: start + at }
    if (lineBreak !== undefined) pieces.push({ type: 'break', ...span })
    else if (expression !== undefined) pieces.push({ type: 'object', ...span })
    else
      pieces.push({ type: 'object', ...span, plain: isEscape ? decodeEscapes(matchText) : decodeEntities(matchText) })
  }
  text(raw.length)
  return pieces
}

const markdownSyntax = /[\\`*_[\]<>{}|~$&#+\-=:@]|(?<=^\s*\d{1,9})[.)]|(?<=\bwww)\./gm
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Writes text so that none of it is syntax where it stands. */
export function escapedText(text: string, notation: Notation): string {
  if (notation === 'markdown') return text.replace(markdownSyntax, '\\$&')
  if (notation === 'html') return text.replace(/[&<>]/g, character => entities[character] ?? character)
  if (notation === 'attribute') return text.replace(/[&<>"']/g, character => entities[character] ?? character)
  return text.replace(/[\\"']/g, '\\$&')
}
