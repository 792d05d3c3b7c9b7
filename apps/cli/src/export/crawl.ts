import { defaultLimits } from '@recto/repository-content'
import type { Page } from './html-tree.ts'
import { isServerPath, OutputPaths, relativeUrl } from './output-paths.rules.ts'
import { readAddress, type SiteResponse } from './read-address.ts'
import { addressesIn, classicScript, rewriteCss, rewritePage } from './rewrite-page.rules.ts'

/** How a site is read. */
export interface CrawlOptions {
  signal: AbortSignal
  onProgress(done: number, total: number): void
  /** The message for an address that cannot be read; it names the address unless given. */
  faultOf?: ((url: URL, reason: string) => string) | undefined
  /** Paths below the root of the site that lead to its pages, and that no page names. */
  redirects?: readonly string[] | undefined
  /** Writes a file that stays as it is, so that the bytes of files are never all in memory. */
  save(file: string, bytes: Buffer): Promise<void>
}

const maxResources = 50_000
const limits = { maxBytes: defaultLimits.maxFile, idleMs: 60_000 }
/** The folder of what is added to a site. */
export const ownFolder = '_recto'

/** A page or file of a site. */
export interface Resource {
  file: string
  /** Empty for a file, which is saved. */
  bytes: Buffer
  kind: 'page' | 'style' | 'script' | 'file'
  /** Where the site has it. */
  url: URL
}

/** Reads what pages of a site show, from its root on. */
export class Crawl {
  readonly resources = new Map<string, Resource>()
  readonly faults: string[] = []
  readonly #root: URL
  readonly #options: CrawlOptions
  readonly #paths = new OutputPaths()
  readonly #queue: string[] = []
  readonly #seen = new Set<string>()
  /** Addresses at which people may begin. */
  readonly #starts: readonly URL[]
  /** Addresses that lead to others. */
  readonly #redirects = new Map<string, string>()

  constructor(root: URL, options: CrawlOptions) {
    this.#root = root
    this.#options = options
    this.#add(root)
    this.#starts = [root, ...(options.redirects ?? []).map(path => new URL(path, root))]
  }

  async run(): Promise<void> {
    await this.#visitAll()
    if (!this.resources.has(this.#finalKey(this.#root.href)))
      throw new Error(this.faults[0] ?? 'The site cannot be read')
    for (const url of this.#starts) this.#add(url)
    await this.#visitAll()
  }

  /** The files of addresses that lead to pages at others, with those pages. */
  redirections(): { file: string; page: Resource }[] {
    return this.#starts.flatMap(url => {
      const page = this.resources.get(this.#finalKey(keyOf(url)))
      if (page?.kind !== 'page' || this.resources.has(keyOf(url))) return []
      const path = this.#pathOf(url) ?? ''
      return [{ file: this.#paths.pathOf(path, { isPage: !/\.html?$/i.test(path) }), page }]
    })
  }

  async #visitAll(): Promise<void> {
    for (let key = this.#queue.shift(); key !== undefined; key = this.#queue.shift()) {
      this.#options.signal.throwIfAborted()
      if (this.resources.size >= maxResources) throw new Error(`The site has more than ${maxResources} pages and files`)
      await this.#visit(new URL(key))
      this.#options.onProgress(this.#seen.size - this.#queue.length, this.#seen.size)
    }
  }

  /** The text of a style sheet or script, whose addresses lead to files of the export; undefined for a file, which is saved. */
  rewritten({ kind, bytes, file, url }: Resource): string | undefined {
    if (kind === 'style') return rewriteCss(bytes.toString(), target => this.#targetOf(target, url, file))
    return kind === 'script' ? classicScript(bytes.toString()) : undefined
  }

  /** The HTML of a page, whose addresses lead to files of the export; it changes the tree. */
  rewrittenPage({ file, url }: Resource, page: Page): string {
    const rewrite = (target: string) => this.#targetOf(target, url, file)
    const own = ['search-index.js', 'exported-search.js'].map(name => relativeUrl(file, `${ownFolder}/${name}`))
    const script = (target: string) => rewrite(target) ?? target
    return rewritePage(page, { rewrite, script, added: own })
  }

  /** The address that stands for another one in a file; undefined for one that only a server can answer, or that cannot be read. */
  #targetOf(target: string, base: URL, file: string): string | undefined {
    if (target === '' || target.startsWith('#')) return target
    if (!URL.canParse(target, base.href)) return target
    const url = new URL(target, base.href)
    const path = this.#pathOf(url)
    if (path === undefined) return target.startsWith('/') && !target.startsWith('//') ? url.href : target
    const resource = this.resources.get(this.#finalKey(keyOf(url)))
    if (!resource) return undefined
    return `${resource.file === file && url.hash !== '' ? '' : relativeUrl(file, resource.file)}${url.hash}`
  }

  #finalKey(key: string): string {
    let final = key
    for (let hops = 0; hops < 5; hops += 1) final = this.#redirects.get(final) ?? final
    return final
  }

  /** The path of an address below the root of the site; undefined for one elsewhere. */
  #pathOf({ origin, pathname }: URL): string | undefined {
    if (origin !== this.#root.origin) return undefined
    const root = this.#root.pathname
    if (pathname === root.slice(0, -1)) return ''
    return pathname.startsWith(root) ? pathname.slice(root.length) : undefined
  }

  #add(url: URL): void {
    const path = this.#pathOf(url)
    const key = keyOf(url)
    if (path === undefined || isServerPath(path) || this.#seen.has(key)) return
    this.#seen.add(key)
    this.#queue.push(key)
  }

  async #visit(url: URL): Promise<void> {
    const path = this.#pathOf(url) ?? ''
    const response = await this.#read(url)
    if (!response) return
    const { status, ok, headers, bytes } = response
    const location = headers.get('location')
    if (status >= 300 && status < 400 && location !== null) {
      const target = new URL(location, url)
      this.#redirects.set(keyOf(url), keyOf(target))
      this.#add(target)
      return
    }
    if (!ok) return this.#addFault(url, `answers ${status}`)
    const isFile = path.includes('~recto/files/')
    const kind = kindOf(headers.get('content-type') ?? '', isFile)
    const file = this.#paths.pathOf(path, { isPage: kind === 'page' })
    if (kind === 'file') await this.#options.save(file, bytes)
    this.resources.set(keyOf(url), { file, bytes: kind === 'file' ? Buffer.alloc(0) : bytes, kind, url })
    for (const target of targetsIn(kind, bytes))
      if (URL.canParse(target, url.href)) this.#add(new URL(target, url.href))
  }

  #addFault(url: URL, reason: string): void {
    this.faults.push(this.#options.faultOf?.(url, reason) ?? `${url.href} ${reason}`)
  }

  async #read(url: URL): Promise<SiteResponse | undefined> {
    const { signal } = this.#options
    try {
      return await readAddress(url, { ...limits, signal })
    } catch (error) {
      signal.throwIfAborted()
      this.#addFault(url, `cannot be read: ${reasonOf(error)}`)
      return undefined
    }
  }
}

/** The reason of a failure: `fetch` says that it failed, and its cause why. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** Files of authors are files, whatever they call themselves. */
function kindOf(type: string, isFile: boolean): Resource['kind'] {
  if (isFile) return 'file'
  if (type.startsWith('text/html')) return 'page'
  if (type.startsWith('text/css')) return 'style'
  return /javascript/.test(type) ? 'script' : 'file'
}

function targetsIn(kind: Resource['kind'], bytes: Buffer): string[] {
  if (kind === 'page') return addressesIn(bytes.toString())
  const targets: string[] = []
  if (kind === 'style')
    rewriteCss(bytes.toString(), url => {
      targets.push(url)
      return url
    })
  return targets
}

/** An address without query and fragment: pages of a site have no query. */
function keyOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`
}
