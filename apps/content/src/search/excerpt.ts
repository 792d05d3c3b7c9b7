import { tokenize } from './tokens.ts'

/** UTF-16 code units of an excerpt, and of what precedes the match in it. */
const maxLength = 240
const before = 80

/** Tells whether a lexeme is one that was searched. */
export type Matches = (lexeme: string) => boolean

/** Matches lexemes, and the beginnings of lexemes. */
export function matcherOf(lexemes: { lexeme: string; prefix: boolean }[]): Matches {
  const words = new Set(lexemes.filter(({ prefix }) => !prefix).map(({ lexeme }) => lexeme))
  const prefixes = lexemes.filter(({ prefix }) => prefix).map(({ lexeme }) => lexeme)
  return lexeme => words.has(lexeme) || prefixes.some(prefix => lexeme.startsWith(prefix))
}

/** The text around its first match, cut at words; the beginning of the text when nothing matches. */
export function excerpt(text: string, matches: Matches): string {
  const start = Math.max(0, firstMatch(text, matches) - before)
  const from = start === 0 ? 0 : wordStart(text, start)
  const to = text.length - from <= maxLength ? text.length : wordEnd(text, from, from + maxLength)
  const snippet = text
    .slice(from, to)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\p{Cs}/gu, '')
  return `${from > 0 ? '… ' : ''}${snippet}${to < text.length ? ' …' : ''}`
}

function firstMatch(text: string, matches: Matches): number {
  for (const { lexeme, start } of tokenize(text)) if (matches(lexeme)) return start
  return 0
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + before / 2).search(/\s/)
  return space < 0 ? at : at + space
}

function wordEnd(text: string, from: number, at: number): number {
  const space = text.lastIndexOf(' ', at)
  return space > from + maxLength / 2 ? space : at
}
