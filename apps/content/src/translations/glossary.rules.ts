import { writtenText } from '@recto/markdown'

/** A term, with its word in the language of a translation. */
export interface Term {
  source: string
  target: string
}

/** A text with its terms protected, and their translations. */
export interface ProtectedText {
  text: string
  terms: string[]
}

/** Scripts that are written without blanks between words: each character can start a term. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}'
const word = `(?:(?![${unspaced}])[\\p{L}\\p{N}_])`
/** Tags, and what a term can start with: an encoded sign, a character without blanks around it, a word, or a sign. */
const start = new RegExp(`<[^>]*>|&(?:amp|lt|gt);|[${unspaced}]|${word}+|\\S`, 'gu')

interface KnownTerm {
  /** Matches the term where a text has it. */
  pattern: RegExp
  length: number
  target: string
}

/** Finds the terms of a glossary in texts: whole words, in any case, the longest first. The cost grows with the text, not with the glossary. */
export function termFinder(terms: readonly Term[]): (text: string) => ProtectedText {
  const byStart = knownTerms(terms)
  return text => {
    const targets: string[] = []
    let taggedText = ''
    let at = 0
    for (const { 0: first, index } of text.matchAll(start)) {
      if (index < at) continue
      for (const { pattern, target } of byStart.get(first.toLowerCase()) ?? []) {
        pattern.lastIndex = index
        const term = pattern.exec(text)?.[0]
        if (term === undefined) continue
        targets.push(target)
        taggedText += `${text.slice(at, index)}<t${targets.length}>${writtenText(target)}</t${targets.length}>`
        at = index + term.length
        break
      }
    }
    return { text: taggedText + text.slice(at), terms: targets }
  }
}

function knownTerms(terms: readonly Term[]): Map<string, KnownTerm[]> {
  const termsByStart = new Map<string, KnownTerm[]>()
  const keys = new Set<string>()
  for (const { source, target } of terms) {
    const key = keyOf(writtenText(source))
    const [first] = key.match(start) ?? []
    if (first === undefined || keys.has(key)) continue
    keys.add(key)
    const same = termsByStart.get(first) ?? []
    termsByStart.set(first, same)
    same.push({ pattern: patternOf(key), length: key.length, target })
  }
  for (const same of termsByStart.values()) same.sort((a, b) => b.length - a.length)
  return termsByStart
}

/** The key that all spellings of a term share, as it is written in texts. */
function keyOf(term: string): string {
  return term.trim().replace(/\s+/g, ' ').toLowerCase()
}

/** The pattern of a term. A term that starts or ends with a word matches only where no other word character follows or precedes it. */
function patternOf(key: string): RegExp {
  const escaped = key.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(' ', '\\s+')
  const isWord = (pattern: string) => new RegExp(pattern, 'u').test(key)
  const before = isWord(`^${word}`) ? '(?<![\\p{L}\\p{N}_])' : ''
  const after = isWord(`${word}$`) ? '(?![\\p{L}\\p{N}_])' : ''
  return new RegExp(before + escaped + after, 'iuy')
}

/** A reply with the terms of the glossary, whatever the engine made of them. */
export function withTerms(reply: string, terms: readonly string[]): string {
  return reply.replace(/<t(\d+)\s*(?:\/>|>[^]*?<\/t\1>)/g, (_whole, number: string) =>
    writtenText(terms[Number(number) - 1] ?? ''),
  )
}
