import { commonWords } from './common-words.ts'
import { normalizeTerm, stemOf, umlautSpellings, withoutArticle } from './normalize-term.ts'
import type { TextQuery } from './text-query.ts'
import { type Atom, atomsOf, joinedForm, pairsOf, partsOf, segmentWords } from './tokens.ts'

/** Terms of a query that are searched; the rest is ignored. */
export const maxTerms = 24
/** Letters of the shortest prefix that finds longer words, unless the query has nothing else. */
const shortestPrefix = 2

/** One word of a query. */
export interface QueryTerm {
  /** Lexemes that are the word itself. */
  exact: string[]
  /** Prefixes of words that count as a near match, as opposed to an exact one. */
  prefixes: string[]
  /** Parts of the word, all of which a near text has; the last may be longer. */
  parts: string[]
  /** Beginning that it shares with its other forms. */
  stem?: string
  /** Whether misspellings and compounds are looked for. */
  isExpandable: boolean
  /** Whether a page without it is found too. */
  isOptional: boolean
}

/** A query as words and phrases. */
export interface ParsedQuery {
  terms: QueryTerm[]
  /** Conditions on the order of words. */
  phrases: TextQuery[]
}

/** Reads a query: words, and phrases in double quotes; a quote that is not closed is ignored. */
export function parseQuery(query: string): ParsedQuery {
  const pieces = query.replace(/[“”„«»「」『』]/g, '"').split('"')
  const isQuoted = (at: number) => at % 2 === 1 && at < pieces.length - 1
  const terms = pieces.flatMap((piece, at) =>
    [...atomsOf(piece)].flatMap(atom => (isQuoted(at) ? exactTerms(atom) : termsOf(atom))),
  )
  const phrases = pieces.flatMap((piece, at) => (isQuoted(at) ? phraseOf(piece) : []))
  return {
    terms: withoutShortPrefixes(requireIfAllOptional(distinct(terms)).slice(0, maxTerms)),
    phrases: phrases.slice(0, 4),
  }
}

function termsOf(atom: Atom): QueryTerm[] {
  if (atom.script === 'spaced') return [wordTerm(atom.text)]
  const run = atom.text.normalize('NFKC')
  if (atom.script === 'hangul') return [hangulTerm(run)]
  const isThai = atom.script === 'thai'
  return segmentWords(run).map(({ text }) => runTerm(text, isThai ? [] : innerPairs(text)))
}

function wordTerm(text: string): QueryTerm {
  const word = normalizeTerm(text)
  const parts = partsOf(text).map(normalizeTerm)
  const joined = joinedForm(text)
  const others = [...umlautSpellings(text), withoutArticle(word)].filter(one => one !== undefined)
  const exact = [word, ...(joined === undefined ? [] : [normalizeTerm(joined)]), ...others]
  const stem = parts.length === 1 ? stemOf(word) : undefined
  return {
    exact,
    prefixes: exact,
    parts: parts.length === 1 && parts[0] === word ? [] : parts,
    ...(stem !== undefined && { stem }),
    isExpandable: true,
    isOptional: commonWords.has(text.toLowerCase()),
  }
}

function hangulTerm(run: string): QueryTerm {
  const stem = stemOf(normalizeTerm(run))
  return { ...runTerm(normalizeTerm(run), innerPairs(run)), ...(stem !== undefined && { stem }), isExpandable: true }
}

function runTerm(text: string, parts: string[]): QueryTerm {
  const word = normalizeTerm(text)
  return { exact: [word], prefixes: [word], parts, isExpandable: false, isOptional: commonWords.has(text) }
}

/** The pairs of neighbouring letters of a word. */
function innerPairs(word: string): string[] {
  const pairs = pairsOf(word).slice(0, -1)
  return pairs.map(({ text }) => normalizeTerm(text))
}

/** The terms of a phrase: nothing but the words themselves. */
function exactTerms(atom: Atom): QueryTerm[] {
  const phrase = { prefixes: [], isExpandable: false, isOptional: false }
  if (atom.script === 'spaced')
    return [{ ...phrase, exact: [normalizeTerm(atom.text)], parts: partsOf(atom.text).map(normalizeTerm) }]
  return termsOf(atom).map(({ exact, parts }) => ({ ...phrase, exact, prefixes: exact, parts }))
}

function phraseOf(piece: string): TextQuery[] {
  const words = [...atomsOf(piece)].flatMap(atom => {
    if (atom.script === 'spaced') return partsOf(atom.text).map((part): TextQuery => ({ lexeme: normalizeTerm(part) }))
    const run = atom.text.normalize('NFKC')
    // Words of Thai are as many positions apart as they have letters.
    if (atom.script === 'thai') return []
    return pairsOf(run).map(({ text }, at, all): TextQuery => ({
      lexeme: normalizeTerm(text),
      prefix: at === all.length - 1,
    }))
  })
  return words.length > 1 ? [{ phrase: words }] : words
}

function distinct(terms: QueryTerm[]): QueryTerm[] {
  const seen = new Set<string>()
  return terms.filter(({ exact: [word = ''] }) => word !== '' && !seen.has(word) && seen.add(word))
}

/** Makes all terms required when every one is a common word; otherwise changes nothing. */
function requireIfAllOptional(terms: QueryTerm[]): QueryTerm[] {
  return terms.every(({ isOptional }) => isOptional) ? terms.map(term => ({ ...term, isOptional: false })) : terms
}

function withoutShortPrefixes(terms: QueryTerm[]): QueryTerm[] {
  if (terms.length === 1) return terms
  const isLongEnough = (word: string) => word.length >= shortestPrefix || /[^\p{sc=Latn}\p{N}]/u.test(word)
  return terms.map(term => ({ ...term, prefixes: term.prefixes.filter(isLongEnough) }))
}
