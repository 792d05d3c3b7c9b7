import { isDeepStrictEqual } from 'node:util'
import { isMap, isNode, isScalar, parseDocument, stringify, type Document, type YAMLMap } from 'yaml'
import { splitPage } from './split-page.ts'
import { parseYaml } from './yaml.ts'

/** New values of keys; undefined removes a key. */
export type FrontMatterChanges = Record<string, unknown>

/**
 * Sets and removes keys of a page's front matter and keeps all else byte for byte: the order of keys, comments, line endings, a byte order mark.
 * Throws a TypeError when the present front matter cannot be read.
 */
export function writeFrontMatter(markdown: string, changes: FrontMatterChanges): string {
  const { head, headOffset } = splitPage(markdown)
  if (head === undefined) return withNewHead(markdown, changes)
  const yaml = parseYaml(head, 2)
  if (!yaml.ok) throw new TypeError(`The front matter cannot be read: ${yaml.message} (line ${yaml.line})`)
  const before = (yaml.value ?? {}) as Record<string, unknown>
  if (typeof before !== 'object' || Array.isArray(before))
    throw new TypeError('The front matter is not a map of fields')
  const wanted = applied(before, changes)
  if (isDeepStrictEqual(wanted, before)) return markdown
  const edited = withChanges(head, changes)
  const isExact = isDeepStrictEqual(valueOf(edited), wanted)
  const written = isExact ? edited : inLineEndingsOf(head, stringify(wanted))
  return markdown.slice(0, headOffset) + written + markdown.slice(headOffset + head.length)
}

/** A page without front matter gets one, unless nothing is set. */
function withNewHead(markdown: string, changes: FrontMatterChanges): string {
  const wanted = applied({}, changes)
  if (Object.keys(wanted).length === 0) return markdown
  const mark = markdown.startsWith('\ufeff') ? '\ufeff' : ''
  const body = markdown.slice(mark.length)
  const gap = body === '' || /^\r?\n/.test(body) ? '' : '\n'
  return mark + inLineEndingsOf(body, `---\n${stringify(wanted)}---\n${gap}`) + body
}

function applied(before: Record<string, unknown>, changes: FrontMatterChanges): Record<string, unknown> {
  const wanted = { ...before, ...changes }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

function valueOf(head: string): unknown {
  const yaml = parseYaml(head)
  return yaml.ok ? (yaml.value ?? {}) : undefined
}

/** Replaces the lines of the keys that change, from the last to the first, and adds new keys at the end. */
function withChanges(head: string, changes: FrontMatterChanges): string {
  const { contents } = parseDocument(head, { uniqueKeys: false, logLevel: 'silent' }) as Document.Parsed
  const map = isMap(contents) ? (contents as YAMLMap) : undefined
  const edits = Object.entries(changes).map(([key, value]) => ({ key, value, place: placeOf(map, key, head) }))
  edits.sort((a, b) => (b.place?.start ?? -1) - (a.place?.start ?? -1))
  let text = head
  let added = ''
  for (const { key, value, place } of edits) {
    const line = value === undefined ? '' : inLineEndingsOf(head, stringify({ [key]: value }))
    if (place) text = text.slice(0, place.start) + line + text.slice(place.end)
    else added += line
  }
  return text + added
}

/** From the start of a key's line to the end of the last line of its value. */
function placeOf(map: YAMLMap | undefined, key: string, head: string): { start: number; end: number } | undefined {
  const pair = map?.items.find(({ key: other }) => isScalar(other) && other.value === key)
  if (!pair || !isScalar(pair.key) || !pair.key.range) return undefined
  const valueEnd = isNode(pair.value) ? (pair.value.range?.[1] ?? 0) : 0
  const last = Math.max(valueEnd, pair.key.range[1])
  const isAtLineStart = last > 0 && head.charAt(last - 1) === '\n'
  const next = head.indexOf('\n', last)
  return { start: pair.key.range[0], end: isAtLineStart ? last : next < 0 ? head.length : next + 1 }
}

function inLineEndingsOf(sample: string, text: string): string {
  return /\r\n/.test(sample) ? text.replace(/\n/g, '\r\n') : text
}
