import type { Heading, Link, List, ListItem, Paragraph, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString } from 'mdast-util-to-string'
import type { Warning } from './import-failure.ts'
import { readComputed, type ComputedSource } from './computed.ts'
import { defaultLimits } from './limits.ts'
import { isExternal } from '@recto/repository-format'
import { checkSummary, hasTooMuchEmphasis } from './summary-bounds.ts'
import { partsOf } from './summary-parts.ts'

/** The lines of an item in SUMMARY.md, from 1: its first line, and its last line before its children. */
export interface Place {
  line: number
  end: number
}

/** One item of SUMMARY.md. `label` is the quoted title of its link, `target` the link as written. */
export type SummaryEntry = Place & { children: SummaryEntry[] } & (
    | { kind: 'page'; title: string; label?: string; target: string }
    | { kind: 'text'; title: string }
    | { kind: 'link'; title: string; href: string }
    | { kind: 'computed'; computed: ComputedSource }
  )

/** The entries below a heading; the group before the first heading has no title. */
export interface SummaryGroup extends Place {
  title?: string
  entries: SummaryEntry[]
}

/** The entries of SUMMARY.md, in order. */
export interface Summary {
  groups: SummaryGroup[]
  warnings: Warning[]
}

/** Reads SUMMARY.md. Titles are plain text; throws `too_large` above the limits. The first `#` is the title of the file and is ignored. */
export function readSummary(text: string, path: string, maxPages = defaultLimits.maxPages): Summary {
  checkSummary(text, { path, maxPages })
  const reading: Reading = { path, warnings: [], firstLine: 1 }
  const groups: SummaryGroup[] = [{ line: 1, end: 1, entries: [] }]
  let titled = false
  for (const { node, firstLine } of nodesOf(text.replace(/^\ufeff/, ''))) {
    reading.firstLine = firstLine
    if (node.type === 'heading' && node.depth === 1 && !titled) titled = true
    else if (node.type === 'heading') groups.push(groupOf(node, reading))
    else if (node.type === 'list') groups.at(-1)?.entries.push(...entriesOf(node, reading))
  }
  return {
    groups: groups.filter(({ title, entries }) => title !== undefined || entries.length > 0),
    warnings: reading.warnings,
  }
}

function groupOf(heading: Heading, reading: Reading): SummaryGroup {
  return { title: plain(heading), ...placeOf(heading, reading), entries: [] }
}

interface Reading {
  path: string
  warnings: Warning[]
  /** The first line of the current part in the file. */
  firstLine: number
}

/** Disables emphasis, whose parsing time is quadratic in its marks. */
const withoutEmphasis = { extensions: [{ disable: { null: ['attention'] } }] }

function* nodesOf(text: string): Generator<{ node: RootContent; firstLine: number }> {
  for (const part of partsOf(text)) {
    for (const node of fromMarkdown(part.text, hasTooMuchEmphasis(part.text) ? withoutEmphasis : {}).children)
      yield { node, firstLine: part.firstLine }
  }
}

function entriesOf(list: List, reading: Reading): SummaryEntry[] {
  return list.children.flatMap(item => entryOf(item, reading))
}

function entryOf(item: ListItem, reading: Reading): SummaryEntry[] {
  const children = item.children.filter(node => node.type === 'list').flatMap(list => entriesOf(list, reading))
  const own = item.children.filter(node => node.type !== 'list').at(-1)
  const place = { line: lineOf(item, reading), end: placeOf(own ?? item, reading).end }
  for (const node of item.children) {
    if (node.type === 'code') return computedOf(node.value, { ...place, children, reading })
    if (node.type === 'paragraph') return [paragraphEntry(node, { ...place, children })]
  }
  return children
}

type At = Place & { children: SummaryEntry[] }

function paragraphEntry(paragraph: Paragraph, at: At): SummaryEntry {
  const link = paragraph.children.find(node => node.type === 'link')
  if (link) return linkEntry(link, at)
  const linkWithSpaces = spacedLink(plain(paragraph))
  if (linkWithSpaces) return linkEntry(linkWithSpaces, at)
  return { kind: 'text', title: plain(paragraph), ...at }
}

/** Parses a link whose target has plain spaces, which is text in Markdown, but a link to its author. */
function spacedLink(text: string): { title: string; target: string } | undefined {
  const [, title, target] = /^\[(.+)\]\(([^<>]+\.(?:md|markdown)(?:#\S*)?)\)$/i.exec(text) ?? []
  return title !== undefined && target !== undefined ? { title, target } : undefined
}

function linkEntry(link: Link | { title: string; target: string }, at: At): SummaryEntry {
  const target = 'url' in link ? link.url : link.target
  const title = 'url' in link ? plain(link) : link.title
  if (isExternal(target)) return { kind: 'link', title: title || target, href: target, ...at }
  const label = 'url' in link ? link.title?.trim() : undefined
  return { kind: 'page', title, ...(label && { label }), target, ...at }
}

function computedOf(yaml: string, { reading, ...at }: At & { reading: Reading }): SummaryEntry[] {
  const computed = readComputed(yaml)
  if (typeof computed === 'string') {
    const message = `The computed entry is left out: ${computed}`
    reading.warnings.push({ path: reading.path, message, line: at.line })
    return at.children
  }
  return [{ kind: 'computed', computed, ...at }]
}

function plain(node: Heading | Paragraph | Link): string {
  return toString(node, { includeHtml: false }).replace(/\s+/g, ' ').trim()
}

function lineOf(node: RootContent, { firstLine }: Reading): number {
  return firstLine - 1 + (node.position?.start.line ?? 1)
}

function placeOf(node: RootContent, { firstLine }: Reading): Place {
  const { start, end } = node.position ?? { start: { line: 1 }, end: { line: 1 } }
  return { line: firstLine - 1 + start.line, end: firstLine - 1 + end.line }
}
