import { isNode, isScalar, Lexer, LineCounter, parseDocument, Parser, visit, type Document } from 'yaml'
import { frontMatterLimits } from './limits.ts'
import type { PageWarning } from './warning.ts'

/** The value of a YAML text, or its fault; lines count from 1 in the file. */
export type ParsedYaml =
  | {
      ok: true
      value: unknown
      /** Keys, and values where these were read so, that were written with invisible characters. */
      cleaned: (CleanedText & { line: number })[]
      lineOf(path: readonly PropertyKey[]): number | undefined
    }
  | { ok: false; message: string; line: number }

interface Fault {
  message: string
  offset: number
}

/** A key or value that is read without the invisible characters that it was written with. */
export interface CleanedText {
  /** The key, or the key of the value, without them. */
  key: string
  isValue: boolean
  /** Whether the same map has the key without them too, which then counts. */
  hasTwin: boolean
}

/** How a YAML text is read: the line of its file that it starts at, and whether values lose invisible characters as keys do. */
export interface YamlReading {
  firstLine?: number
  cleansValues?: boolean
}

/** Parses YAML; fails for nesting above `frontMatterLimits.depth` and for text that cannot be stored. */
export function parseYaml(text: string, { firstLine = 1, cleansValues = false }: YamlReading = {}): ParsedYaml {
  const lines = new LineCounter()
  const lineAt = (offset: number) => lines.linePos(offset).line + firstLine - 1
  const refused = ({ message, offset }: Fault) => ({ ok: false as const, message, line: lineAt(offset) })
  const deep = findTooDeepNesting(text, lines)
  if (deep) return refused(deep)
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
    uniqueKeys: false,
  })
  const [error] = document.errors
  if (error) return refused({ message: error.message, offset: error.pos[0] })
  const cleaned = cleanTexts(document, { cleansValues }).map(({ offset, ...text }) => ({
    ...text,
    line: lineAt(offset),
  }))
  const fault = findFault(document)
  if (fault) return refused(fault)
  try {
    return {
      ok: true,
      cleaned,
      value: document.toJS({ maxAliasCount: 50 }) as unknown,
      lineOf(path) {
        const node = document.getIn(path, true)
        return isNode(node) && node.range ? lineAt(node.range[0]) : undefined
      },
    }
  } catch {
    return { ok: false, message: 'it repeats itself too often', line: firstLine }
  }
}

/** Measures the nesting without recursion, which parsing the document needs. */
function findTooDeepNesting(text: string, lines: LineCounter): Fault | undefined {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    // The document and the scalar at hand are on the stack, too.
    if (parser.stack.length > frontMatterLimits.depth + 2)
      return { message: `it is nested more than ${frontMatterLimits.depth} levels deep`, offset: parser.offset }
  }
  lines.lineStarts.length = 0
  return undefined
}

/** Zero-width spaces, byte order marks and the like, which editors and templates leave in a text. */
const invisible = /[\p{Cf}\u00a0]/gu
/** Those that mean nothing at the ends of a text, in any script; the tags that end the emoji of a flag are not among them. */
const marks = '[ \\t\\u00a0\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]+'
const invisibleEnds = new RegExp(`^${marks}|${marks}$`, 'gu')

/**
 * A text without invisible characters: without any where the rest is ASCII, else without those at its ends. Between the letters of other
 * scripts they have a meaning, such as that of a zero-width non-joiner in Persian.
 */
export function withoutInvisible(text: string): string {
  const bare = text.replace(invisible, '')
  if (bare === text) return text
  return /^[\x20-\x7e]*$/.test(bare) ? bare.trim() : text.replace(invisibleEnds, '')
}

/** Removes invisible characters from the keys of a document, and from its values where that is asked, and returns both for warnings. */
export function cleanTexts(
  document: Document.Parsed,
  { cleansValues = false }: Pick<YamlReading, 'cleansValues'> = {},
): (CleanedText & { offset: number })[] {
  const cleaned: (CleanedText & { offset: number })[] = []
  visit(document, {
    Map(_key, { items }) {
      const existingKeys = new Set(items.map(({ key }) => (isScalar(key) ? key.value : undefined)))
      for (const { key, value } of items) {
        if (!isScalar(key) || typeof key.value !== 'string') continue
        const name = withoutInvisible(key.value)
        if (name !== key.value && name !== '') {
          const hasTwin = existingKeys.has(name)
          if (!hasTwin) key.value = name
          existingKeys.add(name)
          cleaned.push({ key: name, isValue: false, hasTwin, offset: key.range?.[0] ?? 0 })
        }
        if (!cleansValues || !isScalar(value) || typeof value.value !== 'string') continue
        const text = withoutInvisible(value.value)
        if (text === value.value) continue
        value.value = text
        cleaned.push({ key: name, isValue: true, hasTwin: false, offset: value.range?.[0] ?? 0 })
      }
    },
  })
  return cleaned
}

/** Creates a warning for each key and value with invisible characters. */
export function cleanedTextWarnings(yaml: ParsedYaml, path: string): PageWarning[] {
  if (!yaml.ok) return []
  return yaml.cleaned.map(({ key, isValue, line, hasTwin }) => {
    const effect = hasTwin ? 'it has no effect, since the key stands there without them too' : 'it is read without them'
    const text = isValue ? `The value of ${key}` : `The key ${key}`
    return { path, message: `${text} is written with invisible characters; ${effect}`, line }
  })
}

/** NUL, and halves of surrogate pairs: YAML can write them, and no database takes them. */
const unstorable = /\0|[\ud800-\udfff]/u

/** Finds text that cannot be stored, and duplicate keys (the parser's own check is quadratic). */
function findFault(document: Document.Parsed): Fault | undefined {
  let fault: Fault | undefined
  visit(document, {
    Scalar(_key, { value, range }) {
      if (typeof value !== 'string' || !unstorable.test(value)) return undefined
      fault = { message: 'it holds a character that cannot be stored', offset: range?.[0] ?? 0 }
      return visit.BREAK
    },
    Map(_key, { items }) {
      const seen = new Set<unknown>()
      const again = items.find(({ key }) => isScalar(key) && seen.size === seen.add(key.value).size)
      if (!again) return undefined
      fault = {
        message: `Map keys must be unique: ${isScalar(again.key) ? String(again.key.value) : ''}`,
        offset: isScalar(again.key) ? (again.key.range?.[0] ?? 0) : 0,
      }
      return visit.BREAK
    },
  })
  return fault
}
