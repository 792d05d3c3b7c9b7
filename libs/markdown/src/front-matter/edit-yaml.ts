import { isDeepStrictEqual } from 'node:util'
import { isMap, isNode, isScalar, parseDocument, Scalar, stringify, type Pair, type YAMLMap } from 'yaml'
import { cleanTexts, parseYaml } from './yaml.ts'

/** A new value of a key, by the names of the maps that it is in; undefined removes the key. */
export interface YamlEdit {
  path: readonly [string, ...string[]]
  value: unknown
}

/** A part of the text, and what replaces it. */
interface Splice {
  start: number
  end: number
  text: string
}

/**
 * Sets and removes keys of YAML and keeps all else byte for byte: order, comments, quotes, indentation, line endings.
 * Undefined when lines cannot say it, such as those of a flow map or of a value that others refer to: the caller writes it anew.
 *
 * | the key                      | the new value | its text                               |
 * | ---------------------------- | ------------- | -------------------------------------- |
 * | has a scalar, on one line    | one line, too | the value changes, its comment stays   |
 * | has any other value          | any           | its lines are replaced                 |
 * | is there                     | none          | its lines are removed                  |
 * | is not there                 | any           | comes behind the last key of its map   |
 * | is not there, nor is its map | any           | comes with its map at the end          |
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): string | undefined {
  const before = valueOf(text)
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' })
  // Keys are found as they are read, and stay as they are written.
  cleanTexts(document)
  const { contents } = document
  if (before === undefined || (contents !== null && !isMap(contents))) return undefined
  const root = contents ?? undefined
  const splices: Splice[] = []
  const added = new Map<string, YamlEdit[]>()
  for (const edit of edits) {
    const pair = pairAt(root, edit.path)
    const splice = pair && spliceOf(pair, { text, value: edit.value })
    if (splice) splices.push(splice)
    else if (edit.value !== undefined) {
      const above = JSON.stringify(edit.path.slice(0, -1))
      added.set(above, [...(added.get(above) ?? []), edit])
    }
  }
  for (const group of added.values()) splices.push(addition(group, { text, root }))
  // From the last to the first, and what is removed before what is added at the same place.
  splices.sort((a, b) => b.start - a.start || b.end - a.end)
  const edited = splices.reduce((all, splice) => all.slice(0, splice.start) + splice.text + all.slice(splice.end), text)
  return isDeepStrictEqual(valueOf(edited), withEdits(before, edits)) ? edited : undefined
}

/** A text with the line endings of another one. */
export function inLineEndingsOf(sample: string, text: string): string {
  return /\r\n/.test(sample) ? text.replace(/\n/g, '\r\n') : text
}

type Values = Record<string, unknown>

function valueOf(text: string): Values | undefined {
  const yaml = parseYaml(text)
  return yaml.ok ? ((yaml.value ?? {}) as Values) : undefined
}

/** The values after the edits. A map that loses its last key is empty, as the lines say it. */
function withEdits(before: Values, edits: readonly YamlEdit[]): Values {
  const expected = structuredClone(before)
  for (const { path, value } of edits) {
    let map = expected
    for (const name of path.slice(0, -1)) map = (map[name] ??= {}) as Values
    const key = path.at(-1) ?? ''
    if (value === undefined) delete map[key]
    else map[key] = value
  }
  for (const { path } of edits) {
    const [name, ...below] = path
    if (below.length > 0 && isDeepStrictEqual(expected[name], {})) expected[name] = null
  }
  return expected
}

function pairAt(root: YAMLMap | undefined, path: readonly string[]): Pair | undefined {
  let map: unknown = root
  let pair: Pair | undefined
  for (const name of path) {
    pair = isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === name) : undefined
    map = pair?.value
  }
  return pair
}

function spliceOf(pair: Pair, { text, value }: { text: string; value: unknown }): Splice {
  const { start, end } = linesOf(pair, text)
  if (value === undefined) return { start, end, text: '' }
  const scalar = isScalar(pair.value) ? pair.value : undefined
  const inPlace = scalar ? scalarText(scalar, value) : undefined
  if (inPlace !== undefined && scalar?.range && !text.slice(scalar.range[0], scalar.range[1]).includes('\n'))
    return { start: scalar.range[0], end: scalar.range[1], text: inPlace }
  const key = isScalar(pair.key) ? String(pair.key.value) : ''
  return { start, end, text: asLines({ [key]: value }, { text, indent: indentOf(pair, text) }) }
}

/** A value that is written where another scalar is; undefined when it takes more than a line. */
function scalarText({ type, source }: Scalar, value: unknown): string | undefined {
  if (value !== null && typeof value === 'object') return undefined
  // A key without value has none that could be replaced.
  if (!source) return undefined
  const quotes = type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE ? { defaultStringType: type } : {}
  const yaml = stringify(value, { lineWidth: 0, ...quotes }).trimEnd()
  return yaml.includes('\n') ? undefined : yaml
}

/** New keys of one map, with the map where that is not there. */
function addition(edits: YamlEdit[], { text, root }: { text: string; root: YAMLMap | undefined }): Splice {
  const above = edits[0]?.path.slice(0, -1) ?? []
  const values = Object.fromEntries(edits.map(({ path, value }) => [path.at(-1) ?? '', value]))
  const pair = pairAt(root, above)
  const map = above.length === 0 ? root : pair?.value
  const last = isMap(map) ? map.items.at(-1) : undefined
  if (last) return insertion(linesOf(last, text).end, asLines(values, { text, indent: indentOf(last, text) }), text)
  if (pair)
    return insertion(linesOf(pair, text).end, asLines(values, { text, indent: `${indentOf(pair, text)}  ` }), text)
  const nested = above.reduceRight<unknown>((inner, name) => ({ [name]: inner }), values)
  return insertion(text.length, asLines(nested, { text, indent: '' }), text)
}

/** Lines that are added; the last line of a text may have no end. */
function insertion(at: number, lines: string, text: string): Splice {
  const isOpen = at > 0 && text[at - 1] !== '\n'
  return { start: at, end: at, text: isOpen ? inLineEndingsOf(text, '\n') + lines.trimEnd() : lines }
}

function asLines(values: unknown, { text, indent }: { text: string; indent: string }): string {
  return inLineEndingsOf(text, stringify(values).replace(/^(?=.)/gm, indent))
}

function indentOf({ key }: Pair, text: string): string {
  const start = isScalar(key) ? (key.range?.[0] ?? 0) : 0
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
}

/** From the start of the line of a key to the end of the last line of its value. */
function linesOf({ key, value }: Pair, text: string): { start: number; end: number } {
  const [keyStart, keyEnd] = (isScalar(key) && key.range) || [0, 0]
  const last = Math.max(isNode(value) ? (value.range?.[1] ?? 0) : 0, keyEnd)
  const isAtLineStart = last > 0 && text.charAt(last - 1) === '\n'
  const next = text.indexOf('\n', last)
  const end = isAtLineStart ? last : next < 0 ? text.length : next + 1
  return { start: text.lastIndexOf('\n', keyStart - 1) + 1, end }
}
