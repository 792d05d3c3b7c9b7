import { namedBy } from './fragments.ts'

/** Pages that are kept for the way back. */
const maxPages = 30
const pages = new Map<string, NextPage>()
const listeners: (() => void)[] = []
let running: AbortController | undefined

/** A page as it arrived. Its style stands apart: parsed with the page, it would be one without the nonce of this page. */
interface NextPage {
  html: string
  css: string
}

/** Calls back after a page has replaced the one before. */
export function onPageChange(listener: () => void): void {
  listeners.push(listener)
}

/** Shows pages of the same site in place of this one, without loading styles, script and navigation again. */
export function followLinks(): void {
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !isPlain || event.defaultPrevented || !isPage(link)) return
    event.preventDefault()
    void visit(new URL(link.href), { isNew: true })
  })
  let currentAddress = addressOf(new URL(location.href))
  addEventListener('popstate', () => {
    const url = new URL(location.href)
    if (addressOf(url) === currentAddress) return
    void visit(url, { isNew: false })
  })
  onPageChange(() => void (currentAddress = addressOf(new URL(location.href))))
}

function isPage(link: HTMLAnchorElement): boolean {
  const root = document.body.dataset['root'] ?? '/'
  const { origin, pathname, hash } = new URL(link.href)
  if (origin !== location.origin || !pathname.startsWith(root)) return false
  if (link.target !== '' && link.target !== '_self') return false
  if (link.hasAttribute('download') || /\/~recto\/files\/|\.(?:md|txt|xml)$/.test(pathname)) return false
  return !(pathname === location.pathname && hash !== '')
}

function addressOf({ pathname, search }: URL): string {
  return `${pathname}${search}`
}

/** Goes to a page; whatever cannot be shown in place is opened as any link is. */
export async function visit(url: URL, { isNew }: { isNew: boolean }): Promise<void> {
  running?.abort()
  const own = (running = new AbortController())
  try {
    const next = (isNew ? undefined : pages.get(addressOf(url))) ?? (await read(url, own.signal))
    if (own.signal.aborted) return
    const parsed = next && new DOMParser().parseFromString(next.html, 'text/html')
    // The script of a page names the version of the reader: one of another version is loaded as a whole.
    if (!next || scriptOf(parsed) !== scriptOf(document)) return location.assign(url)
    keep(addressOf(url), next)
    if (isNew) history.pushState(null, '', url)
    showTheme(next.css)
    show(parsed as Document, url)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) location.assign(url)
  }
}

async function read(url: URL, signal: AbortSignal): Promise<NextPage | undefined> {
  const response = await fetch(url, { signal, headers: { accept: 'text/html' } })
  const isHtml = response.headers.get('content-type')?.startsWith('text/html')
  const final = new URL(response.url)
  if (!isHtml || final.origin !== location.origin) return undefined
  url.pathname = final.pathname
  url.search = final.search
  const text = await response.text()
  const style = /<style[^>]*>([^<]*)<\/style>/
  return { html: text.replace(style, ''), css: style.exec(text)?.[1] ?? '' }
}

function scriptOf(page: Document | undefined): string | null | undefined {
  return page?.querySelector('script[type="module"]')?.getAttribute('src')
}

function keep(address: string, page: NextPage): void {
  pages.delete(address)
  pages.set(address, page)
  const [oldest] = pages.keys()
  if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest)
}

const headTags =
  'meta[name="description"], meta[name="robots"], meta[property], link[rel="canonical"], link[rel="alternate"]'

function show(next: Document, { hash }: URL): void {
  const scrolled = document.getElementById('recto-navigation')?.scrollTop ?? 0
  const chosen = document.documentElement.dataset['theme']
  for (const { name, value } of next.documentElement.attributes)
    if (name !== 'data-theme') document.documentElement.setAttribute(name, value)
  document.documentElement.classList.add('scripted')
  if (chosen !== undefined) document.documentElement.dataset['theme'] = chosen
  document.title = next.title
  for (const tag of document.head.querySelectorAll(headTags)) tag.remove()
  document.head.append(...[...next.head.querySelectorAll(headTags)].map(tag => document.importNode(tag, true)))
  addSheets(next)
  for (const { name, value } of next.body.attributes) document.body.setAttribute(name, value)
  document.body.replaceChildren(...[...next.body.childNodes].map(node => document.importNode(node, true)))
  const navigation = document.getElementById('recto-navigation')
  if (navigation) navigation.scrollTop = scrolled
  for (const listener of listeners) listener()
  const target = namedBy(hash)
  if (target) target.scrollIntoView()
  else scrollTo({ top: 0, behavior: 'instant' })
  document.getElementById('recto-content')?.focus({ preventScroll: true })
}

const theme = new CSSStyleSheet()

/** Colors of another space of the site. The style of a page has the nonce of its answer, so it is not the element that changes. */
function showTheme(css: string): void {
  const style = document.querySelector<HTMLStyleElement>('head > style')
  if (!style || (style.textContent === css && !document.adoptedStyleSheets.includes(theme))) return
  style.disabled = true
  theme.replaceSync(css)
  document.adoptedStyleSheets = [theme]
}

/** Fonts of another space of the site. */
function addSheets(next: Document): void {
  for (const sheet of next.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    const href = sheet.getAttribute('href') ?? ''
    if (!document.head.querySelector(`link[rel="stylesheet"][href="${CSS.escape(href)}"]`))
      document.head.append(document.importNode(sheet))
  }
}
