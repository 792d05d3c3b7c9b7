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

const maxDepth = 50

/** Reads a SUMMARY.md: headings of level two and below open groups, lists nest pages. `path` is its own path. */
export function readOutline({ text, path }: { text: string; path: string }): OutlineEntry[] {
  const top: OutlineEntry[] = []
  let into = top
  for (const node of fromMarkdown(text).children) {
    const group = groupOf(node)
    if (group) {
      top.push(group)
      into = group.children
    }
    if (node.type === 'list') into.push(...entriesOf(node, path, 0))
  }
  return top
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
  const named = title === '' ? {} : { title }
  if (!link) return [{ kind: 'page', ...named, children }]
  const url = resolveUrl(link.url, archiveUrl(path))
  if (!url || !isArchiveUrl(url.href)) return [{ kind: 'link', ...named, href: link.url, children }]
  return [{ kind: 'page', ...named, path: decodePath(url.pathname), children }]
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname.slice(1))
  } catch {
    return pathname.slice(1)
  }
}
