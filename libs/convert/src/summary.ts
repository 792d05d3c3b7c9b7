import { decodeUriComponent } from '@recto/text'
import type { List, ListItem, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString } from 'mdast-util-to-string'
import { archiveUrl, isArchiveUrl, resolveUrl } from './links.ts'

/** An entry of a table of contents. */
export interface OutlineEntry {
  /** A page without path is one without text. */
  kind: 'page' | 'group' | 'link'
  title?: string
  path?: string
  href?: string
  children: OutlineEntry[]
}

/** Levels of lists that are read. */
const maxDepth = 51

/** Reads a SUMMARY.md: headings of level two and below open groups, lists nest pages to 51 levels. `path` is its own path. */
export function readOutline({ text, path }: { text: string; path: string }): OutlineEntry[] {
  const top: OutlineEntry[] = []
  let into = top
  for (const node of fromMarkdown(withoutDeepItems(text)).children) {
    const group = groupOf(node)
    if (group) {
      top.push(group)
      into = group.children
    }
    if (node.type === 'list') into.push(...entriesOf(node, path, 1))
  }
  return top
}

/** Leaves out the lines of items nested too deep: a parser takes seconds for a thousand levels. */
function withoutDeepItems(text: string): string {
  const open: number[] = []
  return text
    .split('\n')
    .filter(line => line.trim() === '' || depthAt(line, open) <= maxDepth)
    .join('\n')
}

const space = /[ \t]*/y
const marker = /(?:[-+*]|\d{1,9}[.)])(?=[ \t])/y

/** How many items a line is in, counted to one too many; `open` are the columns of those around it, and then of those around the next. */
function depthAt(line: string, open: number[]): number {
  const after = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return at + (pattern.exec(line)?.[0].length ?? 0)
  }
  let column = after(space, 0)
  while ((open.at(-1) ?? -1) >= column) open.pop()
  for (let end = after(marker, column); end > column && open.length <= maxDepth; end = after(marker, column)) {
    open.push(column)
    column = after(space, end)
  }
  return open.length
}

function groupOf(node: RootContent): OutlineEntry | undefined {
  if (node.type !== 'heading' || node.depth < 2) return undefined
  const title = toString(node, { includeHtml: false }).trim()
  return title === '' ? undefined : { kind: 'group', title, children: [] }
}

function entriesOf(list: List, path: string, depth: number): OutlineEntry[] {
  return depth > maxDepth ? [] : list.children.flatMap(item => entryOf(item, path, depth))
}

function entryOf(item: ListItem, path: string, depth: number): OutlineEntry[] {
  const children = item.children.flatMap(child => (child.type === 'list' ? entriesOf(child, path, depth + 1) : []))
  const [paragraph] = item.children
  if (paragraph?.type !== 'paragraph') return children
  const link = paragraph.children.find(child => child.type === 'link')
  const title = toString(link ?? paragraph, { includeHtml: false }).trim()
  const titleFields = title === '' ? {} : { title }
  if (!link) return [{ kind: 'page', ...titleFields, children }]
  const url = resolveUrl(link.url, archiveUrl(path))
  if (!url || !isArchiveUrl(url.href)) return [{ kind: 'link', ...titleFields, href: link.url, children }]
  return [{ kind: 'page', ...titleFields, path: decodePath(url.pathname), children }]
}

function decodePath(pathname: string): string {
  const path = pathname.slice(1)
  return decodeUriComponent(path) ?? path
}
