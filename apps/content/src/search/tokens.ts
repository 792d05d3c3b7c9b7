import { LRUCache } from 'lru-cache'
import { normalizeTerm, maxLexeme, withoutArticle } from './normalize-term.ts'

/** The kind of a lexeme: a word as written, a part of it, its parts without separator, or two letters of a script without spaces. */
export type TokenKind = 'word' | 'part' | 'joined' | 'pair'

/** A lexeme of a text, with its place in words and in UTF-16 code units. */
export interface Token {
  lexeme: string
  kind: TokenKind
  position: number
  start: number
  end: number
}

/** A piece of text between spaces or other separators. */
export interface Atom {
  text: string
  start: number
  script: 'spaced' | 'unspaced' | 'thai' | 'hangul'
}

const unspaced = String.raw`(?:(?=[\p{L}\p{M}\p{N}])[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}])`
const thai = String.raw`[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]`
const hangul = String.raw`\p{sc=Hang}`
const letter = String.raw`(?:(?!${unspaced}|${thai}|${hangul})[\p{L}\p{N}\p{M}_])`
// Words of code keep what joins them: `a.b.c`, `Foo::Bar`, `api/plugins.json`, `@type`, `c++`.
const spaced = String.raw`@?${letter}+(?:(?:[-.'\u2019/@+]|::)${letter}+)*(?:\+\+|#)?`
const atoms = new RegExp(`(${unspaced}+)|(${thai}+)|(${hangul}+)|(${spaced})`, 'gu')
const scripts = ['unspaced', 'thai', 'hangul', 'spaced'] as const

/** The atoms of a text, in order. */
export function* atomsOf(text: string): Generator<Atom> {
  for (const match of text.matchAll(atoms)) {
    const script = scripts.find((_script, at) => match[at + 1] !== undefined)
    if (script) yield { text: match[0], start: match.index, script }
  }
}

const words = new Intl.Segmenter('und', { granularity: 'word' })

/** The words of a run of a script without spaces. */
export function segmentWords(run: string): { text: string; start: number }[] {
  return Array.from(words.segment(run), ({ segment, index }) => ({ text: segment, start: index })).filter(({ text }) =>
    /[\p{L}\p{N}]/u.test(text),
  )
}

/** The parts of a word: between separators and underscores, and at the humps of camelCase. */
export function partsOf(word: string): string[] {
  return word
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .flatMap(part => part.split(/(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u))
    .filter(part => part !== '')
}

/** The identifiers that a word is made of, itself first: `a.b_c` has `a.b_c`, `a` and `b_c`. */
export function identifiersOf(word: string): string[] {
  const inner = word.split(/[^\p{L}\p{N}\p{M}_-]+/u).filter(part => part !== '' && part !== word)
  return [word, ...inner]
}

/** The parts of a word written as one, when it is written with hyphens, underscores or humps. */
export function joinedForm(identifier: string): string | undefined {
  const parts = partsOf(identifier)
  const joined = parts.length > 1 && !/[^\p{L}\p{N}\p{M}_-]/u.test(identifier) ? parts.join('') : undefined
  return joined === identifier ? undefined : joined
}

/** Cuts a text into lexemes, for the index and for excerpts; queries are cut by the same functions. */
export function* tokenize(text: string): Generator<Token> {
  let position = 1
  for (const atom of atomsOf(text)) {
    const result = atom.script === 'spaced' ? tokensOfWord(atom, position) : tokensOfRun(atom, position)
    for (const token of result.tokens) if (token.lexeme !== '' && token.lexeme.length <= maxLexeme) yield token
    position = result.next
  }
}

interface Tokens {
  tokens: Token[]
  next: number
}

function tokensOfWord({ text, start }: Atom, position: number): Tokens {
  const { lexemes, parts } = formsOf(text)
  const end = start + text.length
  const tokens = lexemes.map(({ lexeme, kind, offset }) => ({ lexeme, kind, position: position + offset, start, end }))
  return { tokens, next: position + Math.max(parts, 1) }
}

/** The lexemes of a word, with their places from its own, and how many parts it has. */
interface WordForms {
  lexemes: { lexeme: string; kind: TokenKind; offset: number }[]
  parts: number
}

/** Few words make up most of all texts, and their forms cost most of what indexing costs. */
const cachedWords = 20_000
const forms = new LRUCache<string, WordForms>({ max: cachedWords })

function formsOf(word: string): WordForms {
  const cachedForms = forms.get(word)
  if (cachedForms) return cachedForms
  const newForms = makeForms(word)
  // A word can be a page long.
  if (word.length <= maxLexeme) forms.set(word, newForms)
  return newForms
}

function makeForms(word: string): WordForms {
  const parts = partsOf(word)
  const wholes = identifiersOf(word).flatMap((identifier): WordForms['lexemes'] => {
    const joined = joinedForm(identifier)
    const stripped = withoutArticle(normalizeTerm(identifier))
    return [
      { lexeme: normalizeTerm(identifier), kind: 'word', offset: 0 },
      ...(joined === undefined ? [] : [{ lexeme: normalizeTerm(joined), kind: 'joined' as const, offset: 0 }]),
      ...(stripped === undefined ? [] : [{ lexeme: stripped, kind: 'joined' as const, offset: 0 }]),
    ]
  })
  const single = parts.length === 1 && parts[0] === word
  const inner = single
    ? []
    : parts.map((part, offset) => ({ lexeme: normalizeTerm(part), kind: 'part' as const, offset }))
  return { lexemes: [...wholes, ...inner], parts: parts.length }
}

/** Words of a script without spaces, and pairs of letters, so that a text is found however a dictionary cuts it. */
function tokensOfRun({ text, start, script }: Atom, position: number): Tokens {
  const run = text.normalize('NFKC')
  const place = (at: number, length: number) => ({
    position: position + at,
    start: start + at,
    end: start + at + length,
  })
  const parts = script === 'hangul' ? [{ text: run, start: 0 }] : segmentWords(run)
  const tokens = parts.map((word): Token => ({
    lexeme: normalizeTerm(word.text),
    kind: 'word',
    ...place(word.start, word.text.length),
  }))
  if (script !== 'thai')
    for (const pair of pairsOf(run))
      tokens.push({ lexeme: normalizeTerm(pair.text), kind: 'pair', ...place(pair.start, pair.text.length) })
  return { tokens, next: position + Math.max(run.length, 1) }
}

/** Neighbouring letters of a run, and its last letter alone. */
export function pairsOf(run: string): { text: string; start: number }[] {
  const letters = Array.from(run.matchAll(/./gsu), match => ({ text: match[0], start: match.index }))
  return letters.map(({ text, start }, at) => ({ text: text + (letters[at + 1]?.text ?? ''), start }))
}
