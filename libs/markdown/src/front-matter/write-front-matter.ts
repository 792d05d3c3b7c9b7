import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import { editYaml, inLineEndingsOf } from './edit-yaml.ts'
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
  const yaml = parseYaml(head, { firstLine: 2 })
  if (!yaml.ok) throw new TypeError(`The front matter cannot be read: ${yaml.message} (line ${yaml.line})`)
  const before = (yaml.value ?? {}) as Record<string, unknown>
  if (typeof before !== 'object' || Array.isArray(before))
    throw new TypeError('The front matter is not a map of fields')
  const nextValues = applied(before, changes)
  if (isDeepStrictEqual(nextValues, before)) return markdown
  const edited = editYaml(
    head,
    Object.entries(changes).map(([key, value]) => ({ path: [key], value })),
  )
  const nextHead = edited ?? inLineEndingsOf(head, stringify(nextValues))
  return markdown.slice(0, headOffset) + nextHead + markdown.slice(headOffset + head.length)
}

/** A page without front matter gets one, unless nothing is set. */
function withNewHead(markdown: string, changes: FrontMatterChanges): string {
  const nextValues = applied({}, changes)
  if (Object.keys(nextValues).length === 0) return markdown
  const mark = markdown.startsWith('\ufeff') ? '\ufeff' : ''
  const body = markdown.slice(mark.length)
  const gap = body === '' || /^\r?\n/.test(body) ? '' : '\n'
  return mark + inLineEndingsOf(body, `---\n${stringify(nextValues)}---\n${gap}`) + body
}

function applied(before: Record<string, unknown>, changes: FrontMatterChanges): Record<string, unknown> {
  const nextValues = { ...before, ...changes }
  return Object.fromEntries(Object.entries(nextValues).filter(([, value]) => value !== undefined))
}
