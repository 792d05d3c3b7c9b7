import type { ParsedQuery, QueryTerm } from './parse-query.ts'
import { lexemesOf, renderQuery, withWeights, type TextQuery } from './text-query.ts'

/** The vocabulary of the searched spaces, for the words of a query. */
export interface Vocabulary {
  /** Pages that have a word. */
  uses: ReadonlyMap<string, number>
  /** Words with which known words begin. */
  prefixes: ReadonlySet<string>
  /** Known words that end with a word. */
  endings: ReadonlyMap<string, string[]>
  /** Known words that a misspelt word may mean. */
  similar: ReadonlyMap<string, string[]>
  /** Pages that are searched. */
  pages: number
}

/** A term with its conditions for Postgres, in the notation of `tsquery`. */
export interface SearchTerm {
  exact: string
  near: string | null
  far: string | null
  /** The word itself in a title. */
  inTitle: string
  /** The weight of a match: rare words count more. */
  weight: number
}

/** A search with its conditions for Postgres. */
export interface BuiltQuery {
  terms: SearchTerm[]
  /** All required words; null when there are none. */
  all: string
  /** The required words, each by itself. */
  required: string[]
  /** Any of the words, for when no page has all of them. */
  any: string
  /** Any of the words in a title. */
  inTitle: string
  phrases: string[]
  /** The lexemes that a matching text has. */
  lexemes: { lexeme: string; prefix: boolean }[]
}

/** Builds the conditions of a query; undefined when it has no words. */
export function buildQuery({ terms, phrases }: ParsedQuery, vocabulary: Vocabulary): BuiltQuery | undefined {
  if (terms.length === 0) return undefined
  const built = terms.map(term => ({ term, ...conditionsOf(term, vocabulary) }))
  const matching = built.map(({ exact, near, far }) => withoutCovered([exact, near, far]))
  const required = matching.filter((_query, at) => terms[at]?.isOptional === false)
  return {
    terms: built.map(({ term, exact, near, far }) => ({
      exact: renderQuery(exact),
      near: near ? renderQuery(near) : null,
      far: far ? renderQuery(far) : null,
      inTitle: renderQuery(withWeights(exact, 'A')),
      weight: weightOf(term, vocabulary),
    })),
    all: renderQuery({ all: required }),
    required: required.map(renderQuery),
    any: renderQuery({ any: required }),
    inTitle: renderQuery(withWeights({ any: built.map(({ exact }) => exact) }, 'A')),
    phrases: phrases.map(renderQuery),
    lexemes: matching.flatMap(lexemesOf),
  }
}

interface Conditions {
  exact: TextQuery
  near: TextQuery | undefined
  far: TextQuery | undefined
}

function conditionsOf(term: QueryTerm, vocabulary: Vocabulary): Conditions {
  const exact = term.exact.map((lexeme): TextQuery => ({ lexeme }))
  const prefixes = term.prefixes.map((lexeme): TextQuery => ({ lexeme, prefix: true }))
  const parts = term.parts.map((part, at) => partQuery(part, at === term.parts.length - 1, vocabulary))
  const inParts: TextQuery[] = parts.length === 0 ? [] : [{ all: parts }]
  const stem: TextQuery[] = term.stem === undefined ? [] : [{ lexeme: term.stem, prefix: true }]
  const others = term.isExpandable ? term.exact.flatMap(word => expansionsOf(word, vocabulary)) : []
  return {
    exact: anyOf(exact),
    near: optional([...prefixes, ...inParts]),
    far: optional([...stem, ...others.map((lexeme): TextQuery => ({ lexeme }))]),
  }
}

function partQuery(part: string, isLast: boolean, vocabulary: Vocabulary): TextQuery {
  const isPrefix = isLast && part.length > 2
  const others = expansionsOf(part, { ...vocabulary, endings: new Map() })
  return anyOf([{ lexeme: part, prefix: isPrefix }, ...others.map((lexeme): TextQuery => ({ lexeme }))])
}

/** Compounds that end with a word, and corrections of a word that no known word begins with. */
function expansionsOf(word: string, { uses, prefixes, endings, similar }: Vocabulary): string[] {
  const isKnown = uses.has(word) || prefixes.has(word)
  return [...(endings.get(word) ?? []), ...(isKnown ? [] : (similar.get(word) ?? []))]
}

/** Inverse document frequency; words of which nothing is known count as rare. */
function weightOf({ exact, isOptional }: QueryTerm, { uses, pages }: Vocabulary): number {
  const used = Math.max(0, ...exact.map(word => uses.get(word) ?? 0))
  const weight = 1 + Math.log((pages + 1) / (used + 1))
  return isOptional ? weight / 4 : weight
}

function anyOf(queries: (TextQuery | undefined)[]): TextQuery {
  const alternatives = queries.filter(query => query !== undefined)
  const [only] = alternatives
  return alternatives.length === 1 && only ? only : { any: alternatives }
}

/** Any of these conditions, without the words that a prefix among them matches, too: the index is read for each condition. */
function withoutCovered(queries: (TextQuery | undefined)[]): TextQuery {
  const alternatives = queries.flatMap(query => (query === undefined ? [] : 'any' in query ? query.any : [query]))
  const prefixes = alternatives.flatMap(query => ('lexeme' in query && query.prefix ? [query.lexeme] : []))
  const isCovered = (query: TextQuery) =>
    'lexeme' in query && !query.prefix && prefixes.some(prefix => query.lexeme.startsWith(prefix))
  return anyOf(alternatives.filter(query => !isCovered(query)))
}

function optional(queries: TextQuery[]): TextQuery | undefined {
  return queries.length === 0 ? undefined : anyOf(queries)
}
