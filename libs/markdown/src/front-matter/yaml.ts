import { isNode, isScalar, Lexer, LineCounter, parseDocument, Parser, visit, type Document } from 'yaml'
import { frontMatterLimits } from './limits.ts'
import type { PageWarning } from './warning.ts'

/** What a YAML text holds, or what is wrong with it; lines count from 1 in the file. */
export type ParsedYaml =
  | {
      ok: true
      value: unknown
      /** Keys that were written with invisible characters, without these; a `twin` stands in the same map without them, and counts. */
      cleaned: { key: string; line: number; hasTwin: boolean }[]
      lineOf(path: readonly PropertyKey[]): number | undefined
    }
  | { ok: false; message: string; line: number }

interface Fault {
  message: string
  offset: number
}

/** Parses YAML that starts at `firstLine` of its file; fails for nesting above `frontMatterLimits.depth` and for text that cannot be stored. */
export function parseYaml(text: string, firstLine = 1): ParsedYaml {
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
  const cleaned = cleanKeys(document).map(({ offset, ...cleaned }) => ({ ...cleaned, line: lineAt(offset) }))
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

/** Zero-width spaces, byte order marks and the like, which editors and templates leave in a key. */
const invisible = /[\p{Cf}\u00a0]/gu

/** Removes invisible characters from keys that are plain names without them, and returns these keys for warnings. */
function cleanKeys(document: Document.Parsed): { key: string; offset: number; hasTwin: boolean }[] {
  const cleaned: { key: string; offset: number; hasTwin: boolean }[] = []
  visit(document, {
    Map(_key, { items }) {
      const scalars = items.map(({ key }) => key).filter(isScalar)
      const known = new Set(scalars.map(({ value }) => value))
      for (const key of scalars) {
        if (typeof key.value !== 'string') continue
        const name = key.value.replace(invisible, '')
        if (name === key.value || !/^[\w-]+$/.test(name)) continue
        const hasTwin = known.has(name)
        if (!hasTwin) key.value = name
        known.add(name)
        cleaned.push({ key: name, offset: key.range?.[0] ?? 0, hasTwin })
      }
    },
  })
  return cleaned
}

/** Creates a warning for each key with invisible characters. */
export function cleanedKeyWarnings(yaml: ParsedYaml, path: string): PageWarning[] {
  if (!yaml.ok) return []
  return yaml.cleaned.map(({ key, line, hasTwin }) => {
    const effect = hasTwin ? 'it has no effect, since the key stands there without them too' : 'it is read without them'
    return { path, message: `The key ${key} is written with invisible characters; ${effect}`, line }
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
