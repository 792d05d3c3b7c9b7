import type { Element, Root } from 'hast'
import rehypeParse from 'rehype-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { resolveUrl } from './links.ts'

/** Metadata in the head of a page, for a preview of a link to it. */
export interface PagePreview {
  title?: string
  /** Name of the site. */
  site?: string
  /** Absolute http URL. */
  icon?: string
}

/** Characters of a title or a name, and of the URL of an icon. */
const maxText = 200
const maxUrl = 2048

/** Reads the title, site name and icon of an HTML page: OpenGraph before other metadata, and the `title` element last. `base` is its URL. */
export function readPreview({ html, base }: { html: string; base: string }): PagePreview {
  const { metadata, icons, title: own } = readHead(unified().use(rehypeParse).parse(html))
  const firstOf = (...names: string[]) => names.map(name => metadata.get(name)).find(text => text !== undefined)
  const title = firstOf('og:title', 'twitter:title') ?? own
  const site = firstOf('og:site_name', 'application-name')
  const icon = icons.map(href => resolveUrl(href, base)?.href).find(url => url !== undefined && url.length <= maxUrl)
  return {
    ...(title !== undefined && { title }),
    ...(site !== undefined && { site }),
    ...(icon !== undefined && { icon }),
  }
}

interface Head {
  metadata: Map<string, string>
  icons: string[]
  title?: string
}

function readHead(root: Root): Head {
  const head: Head = { metadata: new Map(), icons: [] }
  visit(root, 'element', element => {
    if (element.tagName === 'meta') readMetadata(element, head)
    if (element.tagName === 'link' && isIcon(element)) head.icons.push(property(element, 'href'))
    // Titles of pictures are in SVG; the first of the page is its own.
    if (element.tagName === 'title') head.title ??= text(contentOf(element)) ?? ''
  })
  return head.title === '' ? { metadata: head.metadata, icons: head.icons } : head
}

function readMetadata(element: Element, { metadata }: Head): void {
  const name = (property(element, 'property') || property(element, 'name')).toLowerCase()
  const value = text(property(element, 'content'))
  if (value !== undefined && !metadata.has(name)) metadata.set(name, value)
}

function isIcon(element: Element): boolean {
  const relations = [element.properties['rel']].flat().map(relation => String(relation).toLowerCase())
  return property(element, 'href') !== '' && relations.some(one => one === 'icon' || one === 'apple-touch-icon')
}

function contentOf(element: Element): string {
  return element.children.map(child => (child.type === 'text' ? child.value : '')).join('')
}

/** A text on one line, shortened; undefined when it is blank. */
function text(value: string): string | undefined {
  const line = value.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return line === '' ? undefined : Array.from(line).slice(0, maxText).join('')
}

function property(element: Element, name: string): string {
  const value = element.properties[name]
  return typeof value === 'string' ? value.trim() : ''
}
