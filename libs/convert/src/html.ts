import { createHash } from 'node:crypto'
import type { Element, ElementContent, Root, RootContent } from 'hast'
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { EXIT, SKIP, visit } from 'unist-util-visit'
import { type LinkContext, resolveUrl, rewriteLink } from './links.ts'
import { relativeLink } from './paths.ts'

/** An HTML page and its URL. */
export interface HtmlSource {
  html: string
  base: string
}

/** Metadata and addresses of an HTML page, before it is converted. */
export interface HtmlFacts {
  title: string
  canonical?: string
  /** Absolute URLs that the page links to, and of the images in its readable part; each once. */
  links: string[]
  images: string[]
}

/** An image that was part of a page, under its path in the set. */
export interface EmbeddedFile {
  path: string
  bytes: Uint8Array
}

/** A page as Markdown. */
export interface ConvertedHtml {
  title: string
  markdown: string
  files: EmbeddedFile[]
}

const assets = '.gitbook/assets'
const unread = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'nav',
  'form',
  'button',
  'dialog',
  'canvas',
  'object',
  'embed',
])
const around = new Set(['header', 'footer', 'aside'])
const extensions: Record<string, string> = { 'svg+xml': 'svg', jpeg: 'jpg', 'x-icon': 'ico' }

/** Reads title, canonical URL, links and images of an HTML page. */
export function htmlFacts({ html, base }: HtmlSource): HtmlFacts {
  const root = unified().use(rehypeParse).parse(html)
  const from = baseOf(root, base)
  const links = new Set<string>()
  const images = new Set<string>()
  let canonical: string | undefined
  visit(root, 'element', element => {
    const href = textProperty(element, 'href')
    if (element.tagName === 'a' && href !== '') addUrl(links, href, from)
    const isCanonical = element.tagName === 'link' && [element.properties['rel']].flat().includes('canonical')
    if (isCanonical && href !== '') canonical ??= resolveUrl(href, from)?.href
  })
  const title = titleOf(root)
  const readable = readablePart(root)
  visit(readable, 'element', element => {
    if (element.tagName === 'img') addUrl(images, imageSource(element), from)
  })
  return { title, ...(canonical !== undefined && { canonical }), links: [...links], images: [...images] }
}

/** Converts the readable part of an HTML page (`main`, a single `article` or the body) to Markdown that starts with its title. */
export function htmlToMarkdown({ html, base, ...context }: HtmlSource & LinkContext): ConvertedHtml {
  const root = unified().use(rehypeParse).parse(html)
  const from = baseOf(root, base)
  const title = titleOf(root)
  const readable = readablePart(root)
  const files = new Map<string, EmbeddedFile>()
  visit(readable, 'element', element => {
    if (element.tagName === 'a')
      element.properties['href'] = rewriteLink(textProperty(element, 'href'), { ...context, base: from })
    if (element.tagName !== 'img') return
    const source = imageSource(element)
    const embedded = dataImage(source)
    if (embedded) files.set(embedded.path, embedded)
    element.properties['src'] = embedded
      ? relativeLink(context.file, embedded.path)
      : rewriteLink(source, { ...context, base: from })
  })
  const processor = unified()
    .use(rehypeRemark, { document: true })
    .use(remarkGfm)
    .use(remarkStringify, {
      bullet: '-',
      emphasis: '_',
      fences: true,
      rule: '-',
      listItemIndent: 'one',
      // The dialect reads `{% … %}` and `{{ … }}`; text that looks like them must stay text.
      unsafe: [{ character: '{', after: '[%{]', inConstruct: 'phrasing' }],
    })
  const body = processor.stringify(processor.runSync({ type: 'root', children: [readable] }) as never)
  const hasTitle = /^\s*#\s/.test(body)
  const heading = title.replace(/[\r\n]+/g, ' ').replace(/([\\`*_[\]<>#])/g, '\\$1')
  return { title, markdown: hasTitle ? body : `# ${heading}\n\n${body}`, files: [...files.values()] }
}

function baseOf(root: Root, url: string): string {
  let base: string | undefined
  visit(root, 'element', element => {
    if (element.tagName === 'body') return SKIP
    if (element.tagName !== 'base') return undefined
    base = resolveUrl(textProperty(element, 'href'), url)?.href
    return EXIT
  })
  return base ?? url
}

function titleOf(root: Root): string {
  const heading = find(readablePart(root), 'h1')
  const shared = findShared(root)
  const head = find(root, 'title')
  const candidates = [heading && textOf(heading), shared, head && textOf(head)]
  const title = candidates.map(text => text?.replace(/\s+/g, ' ').trim()).find(text => text)
  return Array.from(title ?? 'Untitled')
    .slice(0, 200)
    .join('')
}

function findShared(root: Root): string | undefined {
  let title: string | undefined
  visit(root, 'element', element => {
    if (element.tagName === 'meta' && element.properties['property'] === 'og:title')
      title ??= textProperty(element, 'content')
  })
  return title
}

function find(root: Root | Element, name: string): Element | undefined {
  let match: Element | undefined
  visit(root, 'element', element => {
    if (element.tagName !== name) return undefined
    match = element
    return EXIT
  })
  return match
}

/** The part of a page that is its text, without navigation and what runs. Changes the tree. */
function readablePart(root: Root): Element {
  const body = find(root, 'body') ?? elementOf(root.children)
  const marked = find(body, 'main') ?? findRole(body)
  const articles = childrenNamed(body, 'article')
  const part = marked ?? (articles.length === 1 ? articles[0] : undefined) ?? body
  const isDropped = ({ tagName }: Element) => unread.has(tagName) || (part === body && around.has(tagName))
  visit(part, (node, index, parent) => {
    const drop = node.type === 'comment' || (node.type === 'element' && isDropped(node))
    if (!drop || !parent || index === undefined) return undefined
    parent.children.splice(index, 1)
    return [SKIP, index]
  })
  return part
}

function findRole(body: Element): Element | undefined {
  let main: Element | undefined
  visit(body, 'element', element => {
    if (element.properties['role'] !== 'main') return undefined
    main = element
    return EXIT
  })
  return main
}

function childrenNamed(body: Element, name: string): Element[] {
  const elements: Element[] = []
  visit(body, 'element', element => {
    if (element.tagName === name) elements.push(element)
  })
  return elements
}

function elementOf(children: RootContent[]): Element {
  return { type: 'element', tagName: 'body', properties: {}, children: children as ElementContent[] }
}

function textOf(element: Element): string {
  let text = ''
  visit(element, 'text', ({ value }) => void (text += value))
  return text
}

function textProperty(element: Element, name: string): string {
  const value = element.properties[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** The address of an image, also of one that a script would load later. */
function imageSource(element: Element): string {
  const later = textProperty(element, 'dataSrc')
  const now = textProperty(element, 'src')
  return later !== '' && (now === '' || now.startsWith('data:')) ? later : now
}

function addUrl(urls: Set<string>, href: string, base: string): void {
  const url = resolveUrl(href, base)
  if (!url) return
  url.hash = ''
  urls.add(url.href)
}

function dataImage(source: string): EmbeddedFile | undefined {
  const [, type, encoded] = /^data:image\/([\w.+-]{1,40})(?:;[\w=-]+)*;base64,([\s\S]*)$/.exec(source) ?? []
  if (type === undefined || encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { path: `${assets}/image-${name}.${extensions[type] ?? type.replace(/[^a-z0-9]/gi, '')}`, bytes }
}
