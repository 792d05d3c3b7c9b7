import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { IndexedPage } from '../search/search.rules.ts'
import { makeFolder } from '../folders/make-folder.ts'
import { isServerPath, OutputPaths, relativeUrl } from './output-paths.rules.ts'
import {
  addressesIn,
  classicScript,
  type PageText,
  readPageText,
  rewriteCss,
  rewritePage,
} from './rewrite-page.rules.ts'

/** How a site is exported. */
export interface ExportOptions {
  /** Scripts and style of the search, by their names. */
  search: Record<string, Uint8Array | string>
  signal: AbortSignal
  onProgress(done: number, total: number): void
  /** The name of an address in messages; the address itself unless given. */
  nameOf?: ((url: URL) => string) | undefined
}

/** The result of an export: its size, and the addresses that it could not read. */
export interface ExportResult {
  pages: number
  files: number
  faults: string[]
}

const maxResources = 50_000
const maxBytes = 100 * 1024 * 1024
const requestTimeoutMs = 60_000
/** The folder of what is added to a site. */
const ownFolder = '_recto'

interface Resource {
  file: string
  bytes: Buffer
  kind: 'page' | 'style' | 'script' | 'file'
  /** Where the site has it. */
  url: URL
}

/** Prepares a folder for an export. Throws for one that is not empty. */
export async function prepareOutput(folder: string): Promise<void> {
  await makeFolder(folder)
  const entries = await readdir(folder)
  if (entries.length > 0) throw new Error(`${folder} is not empty`)
}

/** Writes a site into a folder, as everybody reads it at an address: pages, what they show, and a search. */
export async function exportSite(address: string, folder: string, options: ExportOptions): Promise<ExportResult> {
  const root = new URL(address.endsWith('/') ? address : `${address}/`)
  const crawl = new Crawl(root, options)
  await crawl.run()
  const index: IndexedPage[] = []
  for (const resource of crawl.resources.values()) {
    if (resource.kind === 'page') index.push(indexedPage(readPageText(resource.bytes.toString()), resource.file))
    await write(folder, resource.file, crawl.rewritten(resource))
  }
  for (const [name, content] of Object.entries(options.search)) await write(folder, join(ownFolder, name), content)
  // A script, since a page that was opened as a file can read no JSON.
  const data = JSON.stringify(index).replaceAll('<', '\\u003c')
  await write(folder, join(ownFolder, 'search-index.js'), `globalThis.rectoSearchIndex = ${data}\n`)
  const pages = index.length
  return { pages, files: crawl.resources.size - pages, faults: crawl.faults }
}

function indexedPage({ title, description, sections }: PageText, file: string): IndexedPage {
  return { id: file, title, description, path: file, sections }
}

async function write(folder: string, file: string, content: Uint8Array | string): Promise<void> {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content, { flag: 'wx' })
}

/** Reads what pages of a site show, from its root on. */
class Crawl {
  readonly resources = new Map<string, Resource>()
  readonly faults: string[] = []
  readonly #root: URL
  readonly #options: ExportOptions
  readonly #paths = new OutputPaths()
  readonly #queue: string[] = []
  readonly #seen = new Set<string>()
  /** Addresses that lead to others. */
  readonly #redirects = new Map<string, string>()

  constructor(root: URL, options: ExportOptions) {
    this.#root = root
    this.#options = options
    this.#add(root)
  }

  async run(): Promise<void> {
    for (let key = this.#queue.shift(); key !== undefined; key = this.#queue.shift()) {
      this.#options.signal.throwIfAborted()
      if (this.resources.size >= maxResources) throw new Error(`The site has more than ${maxResources} pages and files`)
      await this.#visit(new URL(key))
      this.#options.onProgress(this.#seen.size - this.#queue.length, this.#seen.size)
    }
    if (!this.resources.has(this.#root.href)) throw new Error(this.faults[0] ?? 'The site cannot be read')
  }

  /** The bytes of a resource, whose addresses lead to files of the export. */
  rewritten({ kind, bytes, file, url }: Resource): Uint8Array | string {
    const rewrite = (target: string) => this.#targetOf(target, url, file)
    if (kind === 'style') return rewriteCss(bytes.toString(), rewrite)
    if (kind === 'script') return classicScript(bytes.toString())
    if (kind !== 'page') return bytes
    const own = ['search-index.js', 'exported-search.js'].map(name => relativeUrl(file, `${ownFolder}/${name}`))
    const script = (target: string) => rewrite(target) ?? target
    return rewritePage(bytes.toString(), { rewrite, script, added: own })
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
    const response = await this.#fetch(url)
    if (!response) return
    const type = response.headers.get('content-type') ?? ''
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      const target = new URL(location, url)
      this.#redirects.set(keyOf(url), keyOf(target))
      this.#add(target)
      return
    }
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!response.ok || bytes.length > maxBytes) {
      const reason = response.ok ? 'is too large' : `answers ${response.status}`
      this.faults.push(`${this.#nameOf(url)} ${reason}`)
      return
    }
    const isFile = path.includes('~recto/files/')
    const kind = kindOf(type, isFile)
    const file = this.#paths.pathOf(path, { isPage: kind === 'page' })
    this.resources.set(keyOf(url), { file, bytes, kind, url })
    for (const target of targetsIn(kind, bytes))
      if (URL.canParse(target, url.href)) this.#add(new URL(target, url.href))
  }

  #nameOf(url: URL): string {
    return this.#options.nameOf?.(url) ?? url.href
  }

  async #fetch(url: URL): Promise<Response | undefined> {
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(requestTimeoutMs)])
    try {
      return await fetch(url, {
        redirect: 'manual',
        signal,
        headers: { accept: 'text/html,*/*', 'user-agent': 'Recto' },
      })
    } catch (error) {
      this.#options.signal.throwIfAborted()
      this.faults.push(`${this.#nameOf(url)} cannot be read: ${error instanceof Error ? error.message : 'no answer'}`)
      return undefined
    }
  }
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
