import { defaultTreeAdapter as adapter, serialize } from 'parse5'
import { attributeOf, elementsIn, parsePage, type Element, type Page } from './html-tree.ts'

/** Maps the addresses of a page. */
export interface PageAddresses {
  /** The address to write; undefined removes what has it, as only a server could answer it. */
  rewrite(url: string): string | undefined
  /** The script of a page, which replaces that of the reader. */
  script(url: string): string
  /** Scripts to add: of the search. */
  added: readonly string[]
}

const urlAttributes: Record<string, readonly string[]> = {
  a: ['href'],
  area: ['href'],
  link: ['href'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
  track: ['src'],
  embed: ['src'],
  object: ['data'],
}

/** A script that was a module as one that is none: its names stay its own. */
export const classicScript = (script: string): string => `(()=>{${script}\n})()\n`

/** No address begins with it: links open as links do, since no page can be read in place without a server. */
const noRoot = '/~none/'

/** Attributes by which scripts of the reader send to a server, or draw with one. */
const serverAttributes = ['data-page', 'data-rating', 'data-feedback', 'data-diagram', 'crossorigin', 'nonce']

/** A page of a server as the HTML of a page of a folder; it changes the tree. */
export function rewritePage(page: Page, addresses: PageAddresses): string {
  const elements = elementsIn(page)
  for (const element of elements) rewriteElement(element, addresses)
  const head = elements.find(({ tagName }) => tagName === 'head')
  if (head) for (const src of addresses.added) appendScript(head, src)
  return serialize(page)
}

/** The addresses that a page names, as it names them. */
export function addressesIn(html: string): string[] {
  const addresses: string[] = []
  const rewrite = (url: string) => {
    addresses.push(url)
    return url
  }
  for (const element of elementsIn(parsePage(html))) rewriteElement(element, { rewrite, script: rewrite, added: [] })
  return addresses
}

function setAttribute(element: Element, name: string, value: string | undefined): void {
  element.attrs = element.attrs.filter(attribute => attribute.name !== name)
  if (value !== undefined) element.attrs.push({ name, value })
}

function rewriteElement(element: Element, addresses: PageAddresses): void {
  const { tagName } = element
  for (const name of serverAttributes) setAttribute(element, name, undefined)
  if (tagName === 'body') setAttribute(element, 'data-root', noRoot)
  if (tagName === 'script') return rewriteScript(element, addresses)
  if (tagName === 'style') return rewriteStyle(element, addresses)
  if (tagName === 'form') setAttribute(element, 'action', undefined)
  if (tagName === 'input' && attributeOf(element, 'data-search') !== undefined) {
    setAttribute(element, 'data-search', undefined)
    setAttribute(element, 'data-exported-search', '')
  }
  const style = attributeOf(element, 'style')
  if (style !== undefined) setAttribute(element, 'style', rewriteCss(style, addresses.rewrite))
  if (attributeOf(element, 'data-copy-page') !== undefined) return adapter.detachNode(element)
  for (const name of urlAttributes[tagName] ?? []) rewriteAttribute(element, name, addresses)
}

function rewriteAttribute(element: Element, name: string, { rewrite }: PageAddresses): void {
  const value = attributeOf(element, name)
  if (value === undefined) return
  if (name === 'srcset') return setAttribute(element, name, rewriteSourceSet(value, rewrite))
  const next = rewrite(value)
  if (next === undefined) adapter.detachNode(element)
  else if (next !== value) setAttribute(element, name, next)
}

function rewriteSourceSet(text: string, rewrite: PageAddresses['rewrite']): string {
  return text
    .split(/,\s+/)
    .flatMap(candidate => {
      const [url = '', ...descriptors] = candidate.trim().split(/\s+/)
      const next = rewrite(url)
      return next === undefined ? [] : [[next, ...descriptors].join(' ')]
    })
    .join(', ')
}

function rewriteScript(element: Element, { script }: PageAddresses): void {
  const src = attributeOf(element, 'src')
  if (src === undefined) return
  setAttribute(element, 'type', undefined)
  setAttribute(element, 'defer', '')
  setAttribute(element, 'src', script(src))
}

function rewriteStyle(element: Element, { rewrite }: PageAddresses): void {
  for (const child of element.childNodes) if ('value' in child) child.value = rewriteCss(child.value, rewrite)
}

/** A style sheet with other addresses; one that is left out becomes an empty one. */
export function rewriteCss(css: string, rewrite: PageAddresses['rewrite']): string {
  return css.replaceAll(/url\(\s*(["']?)([^"')]+)\1\s*\)/g, (whole, _quote, url: string) =>
    url.startsWith('data:') ? whole : `url("${(rewrite(url) ?? '').replaceAll('"', '%22')}")`,
  )
}

function appendScript(head: Element, src: string): void {
  const script = adapter.createElement('script', head.namespaceURI, [
    { name: 'defer', value: '' },
    { name: 'src', value: src },
  ])
  adapter.appendChild(head, script)
}
