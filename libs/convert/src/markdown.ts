import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toString } from 'mdast-util-to-string'
import type { Nodes } from 'mdast'
import { gfm } from 'micromark-extension-gfm'
import { visit } from 'unist-util-visit'
import { parseDocument } from 'yaml'
import { type LinkContext, resolveUrl, rewriteLink } from './links.ts'
import type { PageMetadata } from './model.ts'

/** A page as Markdown in the set, and what it says about itself. */
export interface ConvertedMarkdown extends PageMetadata {
  /** From its front matter or its first heading; absent when it has neither. */
  title?: string
  markdown: string
  /** Absolute URLs of its images, each once. */
  images: string[]
  /** Why the front matter was not read. */
  fault?: string
}

interface Edit {
  from: number
  to: number
  text: string
}

const maxFrontMatter = 64 * 1024

/** Rewrites the links of a Markdown file as the set needs them, and leaves every other byte as it is. */
export function rewriteMarkdown({ text, ...context }: { text: string } & LinkContext): ConvertedMarkdown {
  const start = bodyStart(text)
  const body = text.slice(start)
  const tree = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const edits: Edit[] = []
  const images = new Set<string>()
  let heading: string | undefined
  visit(tree, node => {
    if (node.type === 'heading' && node.depth === 1)
      heading ??= toString(node, { includeHtml: false }).trim() || undefined
    if (node.type === 'image') addImage(images, node.url, context.base)
    const replacement = edited(node, body, context)
    edits.push(...replacement)
  })
  edits.push(...tagEdits(body, context))
  const { title = heading, ...metadata } = frontMatter(text.slice(0, start))
  return {
    ...(title !== undefined && { title: Array.from(title).slice(0, 200).join('') }),
    ...metadata,
    markdown: text.slice(0, start) + apply(body, edits),
    images: [...images],
  }
}

function addImage(images: Set<string>, href: string, base: string): void {
  const url = resolveUrl(href, base)
  if (url) images.add(url.href)
}

/** The edits that the links of one node need. */
function edited(node: Nodes, body: string, context: LinkContext): Edit[] {
  const from = node.position?.start.offset
  const to = node.position?.end.offset
  if (from === undefined || to === undefined) return []
  if (node.type === 'html') return attributeEdits(body.slice(from, to), from, context)
  if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return []
  const replaced = rewriteLink(node.url, context)
  if (replaced === node.url) return []
  const label = node.type === 'link' ? (node.children.at(-1)?.position?.end.offset ?? from) : from
  const mark = body.indexOf(node.type === 'definition' ? ']:' : '](', label)
  const at = mark < 0 || mark > to ? -1 : body.indexOf(node.url, mark + 2)
  if (at < 0 || at + node.url.length > to) return []
  return [{ from: at, to: at + node.url.length, text: replaced }]
}

const attribute = /\b(?:href|src|url|data)=(["'])([^"'\n]{1,2048})\1/g

function attributeEdits(source: string, offset: number, context: LinkContext): Edit[] {
  return [...source.matchAll(attribute)].flatMap(match => {
    const [whole, , value = ''] = match
    const replaced = rewriteLink(value, context)
    const at = offset + match.index + whole.length - 1 - value.length
    return replaced === value ? [] : [{ from: at, to: at + value.length, text: replaced }]
  })
}

/** Links in tags of the dialect, such as `{% content-ref url="setup.md" %}`. */
function tagEdits(body: string, context: LinkContext): Edit[] {
  return [...body.matchAll(/\{%[^%\n]{1,4096}%\}/g)].flatMap(tag => attributeEdits(tag[0], tag.index, context))
}

/** Applies edits; of those that overlap the first one counts. */
function apply(body: string, edits: Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to, text } of edits.sort((a, b) => a.from - b.from)) {
    if (from < at) continue
    parts.push(body.slice(at, from), text)
    at = to
  }
  return [...parts, body.slice(at)].join('')
}

function bodyStart(text: string): number {
  const openingLength = /^\ufeff?---[ \t]*\r?\n/.exec(text)?.[0].length
  if (openingLength === undefined) return 0
  const closed = /^---[ \t]*(?:\r?\n|$)/m.exec(text.slice(openingLength, openingLength + maxFrontMatter))
  return closed ? openingLength + closed.index + closed[0].length : 0
}

const unreadable = ({ message }: Error) => ({ fault: `The front matter cannot be read: ${message.split('\n')[0]}` })

function frontMatter(head: string): PageMetadata & { title?: string; fault?: string } {
  if (head === '') return {}
  const document = parseDocument(head.replace(/^\ufeff?---[^\n]*\n|---\s*$/g, ''))
  const [error] = document.errors
  if (error) return unreadable(error)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 10 })
  } catch (fault) {
    // Aliases that would expand without end.
    return unreadable(fault as Error)
  }
  if (typeof value !== 'object' || value === null) return {}
  const { title, description, icon, hidden } = value as Record<string, unknown>
  const text = (name: string, field: unknown) => (typeof field === 'string' && field !== '' ? { [name]: field } : {})
  return {
    ...text('title', title),
    ...text('description', description),
    ...text('icon', icon),
    ...(hidden === true && { hidden }),
  }
}
