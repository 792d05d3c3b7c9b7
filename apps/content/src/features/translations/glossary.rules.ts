import { writtenText } from '@recto/markdown'

/** A term, and what it is called in the language of a translation. */
export interface Term {
  source: string
  target: string
}

/** A text with its terms protected, and what each of them becomes. */
export interface ProtectedText {
  text: string
  terms: string[]
}

const edges = { before: '(?<![\\p{L}\\p{N}_])', after: '(?![\\p{L}\\p{N}_])' }
/** Scripts that are written without blanks between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Finds the terms of a glossary in texts: whole words, in any case, the longest first. */
export function termFinder(terms: readonly Term[]): (text: string) => ProtectedText {
  const known = new Map<string, string>()
  for (const { source, target } of terms) {
    const key = keyOf(writtenText(source))
    if (key !== '' && !known.has(key)) known.set(key, target)
  }
  const patterns = [...known.keys()].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).map(patternOf)
  if (patterns.length === 0) return text => ({ text, terms: [] })
  const pattern = new RegExp(patterns.join('|'), 'giu')
  return text => {
    const found: string[] = []
    const protect = (part: string) =>
      part.replace(pattern, term => {
        found.push(known.get(keyOf(term)) ?? term)
        return `<t${found.length}>${writtenText(found.at(-1) ?? '')}</t${found.length}>`
      })
    // Between tags only.
    const parts = text.split(/(<[^>]*>)/)
    return { text: parts.map((part, at) => (at % 2 === 0 ? protect(part) : part)).join(''), terms: found }
  }
}

/** What the spellings of a term, as it is written in texts, have in common. */
function keyOf(written: string): string {
  return written.trim().replace(/\s+/g, ' ').toLowerCase()
}

function patternOf(key: string): string {
  const isWord = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_]/u.test(character) && !unspaced.test(character)
  const characters = [...key]
  const escaped = key.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(' ', '\\s+')
  return `${isWord(characters[0]) ? edges.before : ''}${escaped}${isWord(characters.at(-1)) ? edges.after : ''}`
}

/** A reply in which each term is what the glossary says, whatever the engine made of it. */
export function withTerms(reply: string, terms: readonly string[]): string {
  return reply.replace(/<t(\d+)\s*(?:\/>|>[^]*?<\/t\1>)/g, (_whole, number: string) =>
    writtenText(terms[Number(number) - 1] ?? ''),
  )
}
