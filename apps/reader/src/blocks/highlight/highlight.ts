import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createCssVariablesTheme, createHighlighterCore, type GrammarState, type HighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { bundledLanguages } from 'shiki/langs'
import { escapeText } from './escape-text.ts'

/** Colours code, within what one body may take. */
export interface Highlight {
  /** The lines of code as HTML; undefined for code that stays plain. */
  lines(code: string, language: string | undefined): string[] | undefined
  /** Languages whose grammar was not loaded yet: code in them is plain until it is. */
  missingLanguages: Set<string>
}

/**
 * Characters of one code that is coloured and of all codes of a body, milliseconds for one line and for a body, and characters of
 * a line. The first line of a language takes a tenth of a second, in which its grammar is compiled.
 */
const bounds = {
  code: 100_000,
  body: 600_000,
  lineMilliseconds: 1_500,
  milliseconds: 3_000,
  line: 2_000,
  languages: 80,
}
/** Lines between two looks at the clock. */
const chunk = 50

const theme = createCssVariablesTheme({ name: 'variables', variablePrefix: '--', fontStyle: true })
const cache = new LRUCache<string, string[]>({ max: 5_000, maxSize: 32_000_000, sizeCalculation: sizeOf })
const unusable = new Set<string>()
let loadingHighlighter: Promise<HighlighterCore> | undefined
let highlighter: HighlighterCore | undefined

function sizeOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 8, 64)
}

/** The name of the grammar for the info string of code; undefined when there is none. */
export function grammarOf(syntax: string | undefined): string | undefined {
  const name = /^[\w+#.-]+/.exec(syntax ?? '')?.[0].toLowerCase() ?? ''
  const languageName = Object.hasOwn(aliases, name) ? aliases[name] : name
  return languageName !== undefined && Object.hasOwn(bundledLanguages, languageName) && !unusable.has(languageName)
    ? languageName
    : undefined
}

const aliases: Record<string, string> = {
  curl: 'shellscript',
  golang: 'go',
  node: 'javascript',
  htm: 'html',
  env: 'dotenv',
}

function openHighlighter(): Promise<HighlighterCore> {
  return createHighlighterCore({ themes: [theme], langs: [], engine: createOnigurumaEngine(import('shiki/wasm')) })
}

/** Loads grammars, each once in a thread. With too many of them it begins anew, so that memory does not grow with what pages name. */
export async function loadGrammars(names: Iterable<string>): Promise<void> {
  loadingHighlighter ??= openHighlighter()
  highlighter = await loadingHighlighter
  if (highlighter.getLoadedLanguages().length > bounds.languages * 4) {
    const full = highlighter
    loadingHighlighter = openHighlighter()
    highlighter = await loadingHighlighter
    full.dispose()
  }
  for (const name of [...names].slice(0, bounds.languages)) {
    const load = bundledLanguages[name as keyof typeof bundledLanguages]
    try {
      await highlighter.loadLanguage(load)
    } catch {
      unusable.add(name)
    }
  }
}

/** Opens the colouring of one body. */
export function newHighlight(): Highlight {
  const missingLanguages = new Set<string>()
  const left = { characters: bounds.body, milliseconds: bounds.milliseconds }
  return {
    missingLanguages,
    lines(code, language) {
      const grammar = grammarOf(language)
      if (grammar === undefined || code.length > bounds.code) return undefined
      const key = createHash('sha256').update(`${grammar}\0${code}`).digest('base64')
      const cachedLines = cache.get(key)
      if (cachedLines) return cachedLines
      if (!highlighter?.getLoadedLanguages().includes(grammar)) return void missingLanguages.add(grammar)
      if (code.length > left.characters || left.milliseconds <= 0) return undefined
      left.characters -= code.length
      const start = performance.now()
      const coloredLines = highlightLines(code, grammar, left.milliseconds)
      const spent = performance.now() - start
      left.milliseconds -= spent
      // A line that took too long is coloured in part: that is not kept.
      if (coloredLines && spent < bounds.lineMilliseconds) cache.set(key, coloredLines)
      return coloredLines
    },
  }
}

/** Returns each line of code as HTML with the classes of its tokens; undefined when the time is over. */
function highlightLines(code: string, lang: string, milliseconds: number): string[] | undefined {
  const end = performance.now() + milliseconds
  const source = code.split('\n')
  const lines: string[] = []
  let state: GrammarState | undefined
  for (let at = 0; at < source.length; at += chunk) {
    if (performance.now() > end) return undefined
    const result = highlighter?.codeToTokens(source.slice(at, at + chunk).join('\n'), {
      lang,
      theme: theme.name ?? '',
      tokenizeMaxLineLength: bounds.line,
      tokenizeTimeLimit: bounds.lineMilliseconds,
      ...(state && { grammarState: state }),
    })
    if (!result) return undefined
    state = result.grammarState
    for (const tokens of result.tokens) lines.push(lineMarkup(tokens))
  }
  return lines
}

interface Token {
  content: string
  color?: string
  fontStyle?: number
}

function lineMarkup(tokens: readonly Token[]): string {
  let markup = ''
  let text = ''
  let open = ''
  const flush = () => {
    markup += open === '' ? escapeText(text) : `<span class="${open}">${escapeText(text)}</span>`
    text = ''
  }
  for (const token of tokens) {
    const classes = token.content.trim() === '' ? open : classesOf(token)
    if (classes !== open) {
      flush()
      open = classes
    }
    text += token.content
  }
  flush()
  return markup
}

/**
 * Returns the classes of a token: one for its color, and those for italic and bold; empty for plain text. A style sheet gives the classes
 * colors for each theme.
 */
function classesOf({ color, fontStyle = 0 }: Token): string {
  const [, name] = /^var\(--token-([a-z-]+)\)$/.exec(color ?? '') ?? []
  const styles = [fontStyle & 1 && 'token-italic', fontStyle & 2 && 'token-bold'].filter(Boolean)
  return [...(name ? [`token-${name}`] : []), ...styles].join(' ')
}
