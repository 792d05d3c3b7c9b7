import { setTimeout as delay } from 'node:timers/promises'
import { ApiFailure, type ApiClient, type ApiRequest, type DownloadOptions } from '../api/api-client.ts'
import { createReads } from '../api/reads.ts'
import type { Lookup, PublishedSite } from '../api/types.ts'
import { encodePath, siteSpacesOf } from '../addresses/site-links.rules.ts'
import { excludesAgents, openSite, type OpenedSite } from '../loaders/open-site.ts'
import { createBodies } from '../loaders/read-body.ts'
import { fileHref } from '../loaders/targets.ts'
import { publishedBase } from '../loaders/meta-links.ts'
import { handleRequest, type RequestParts } from '../server/handle-request.ts'
import type { PageRequest } from '../server/page-request.ts'
import { ownFontUrls } from '../theme/fonts.ts'
import type { KeptClient } from './kept-client.ts'
import { fileHeaderNames } from './kept-file.rules.ts'
import { completeKey, keyOf, kindOf, lookupIn, openLookup, versionOf } from './kept-request.rules.ts'
import type { KeptSite, KeptSites, WalkEnd } from './kept-sites.ts'
import type { KeptStore } from './kept-store.ts'
import { resolveAddress, type AddressedSite } from './resolve-address.rules.ts'

/** The tools of walks. */
export interface WalkTools {
  client: KeptClient
  api: ApiClient
  store: KeptStore
  sites: KeptSites
  /** How requests are answered; walks read by tools of their own, and keep no pages in memory. */
  parts: Omit<RequestParts, 'tools'>
}

/** Bytes of memory for what a walk reads. */
const walkMemory = 32 * 1024 * 1024
/** Milliseconds for which a walk sees what it has read. */
const walkTime = 24 * 3_600_000

/**
 * Asks for every address of a site as an anonymous visitor would, one after another with a pause as long as each took, so that all that
 * they are made from is on disk. `isOvertaken` ends it early.
 */
export async function walkSite(
  site: KeptSite,
  tools: WalkTools,
  { signal, isOvertaken }: { signal: AbortSignal; isOvertaken(): boolean },
): Promise<WalkEnd> {
  const walk = new Walk(site, tools, signal)
  const begun = Date.now()
  for await (const step of walk.steps()) {
    const start = performance.now()
    await step()
    if (signal.aborted || !site.isOpen || walk.hasFailed) return 'failed'
    if (isOvertaken()) return 'overtaken'
    await delay(performance.now() - start, undefined, { signal }).catch(() => undefined)
  }
  if (walk.hasFailed) return 'failed'
  await walk.finish(begun)
  return walk.isFull ? 'full' : 'whole'
}

type Step = () => Promise<void>

class Walk {
  hasFailed = false
  isFull = false
  readonly #site: KeptSite
  readonly #tools: WalkTools
  readonly #signal: AbortSignal
  readonly #used = new Set<string>()
  readonly #spaces = new Map<string, { text: string; version: string }>()
  readonly #parts: RequestParts
  /** The site as the walk sees it, from its first lookup on. */
  #addressed: AddressedSite | undefined

  constructor(site: KeptSite, tools: WalkTools, signal: AbortSignal) {
    this.#site = site
    this.#signal = signal
    this.#tools = tools
    const api = this.#client()
    const reads = createReads(api, { freshFor: walkTime, maxBytes: walkMemory })
    // The parts of a body are read; nobody looks at its HTML.
    const render = () => Promise.resolve({ html: '', outline: [], hasMath: false, updates: [] })
    this.#parts = { ...tools.parts, tools: { api, reads, bodies: createBodies(reads, { render, maxBytes: 1 }) } }
  }

  /** The steps of the walk, as far as it is known when the one before has been. */
  async *steps(): AsyncGenerator<Step, void> {
    const [root] = this.#site.roots.keys()
    if (root === undefined) return
    const first = await this.#open(root)
    if (!first) return
    for (const url of spaceUrls(first.published, root)) {
      const site = url === root ? first : await this.#open(url)
      if (site) yield* this.#stepsIn(site, new URL(url).host)
    }
    const styles = Object.values(first.published.customizations.siteSpaces).concat(first.published.customizations.site)
    const token = first.lookup.apiToken
    for (const url of new Set(styles.flatMap(({ styling }) => ownFontUrls(styling))))
      yield () => this.#fetchFile(url, { token, key: url })
  }

  /** Keeps what the walk read as the whole of the site if it is, and removes what it has left out: that may make room for the rest. */
  async finish(begun: number): Promise<void> {
    const { store } = this.#tools
    for (const [key, { text, version }] of this.isFull ? [] : this.#spaces) {
      const whole = completeKey(key)
      this.#used.add(whole)
      await store.writeText({ site: this.#site.id, key: whole, kind: 'space' }, version, text)
    }
    await store.prune(this.#site.id, this.#used, begun)
  }

  async *#stepsIn(site: OpenedSite, host: string): AsyncGenerator<Step, void> {
    const { links, tree, revision } = site
    const hasMarkdown = !excludesAgents(site)
    for (const { page } of tree.documents) {
      yield () => this.#visit(links.ofPage(page.path), host)
      if (hasMarkdown) yield () => this.#visit(`${links.space}${encodePath(page.path)}.md`, host)
    }
    for (const file of revision.files) yield () => this.#visit(fileHref(file, site), host)
  }

  async #open(url: string): Promise<OpenedSite | undefined> {
    const { origin, pathname: path } = new URL(url)
    const { reads } = this.#parts.tools
    const visitor = { unsignedClaims: {} }
    const at = { site: origin, mountPath: '', path, isPreview: false }
    const result = await openSite(at, { reads, visitor }).catch((error: unknown) => this.#fail(error))
    const site = result && 'site' in result ? result.site : undefined
    return site?.lookup.site === this.#site.id ? site : undefined
  }

  async #visit(url: string, host: string): Promise<void> {
    const request: PageRequest = {
      method: 'GET',
      host,
      protocol: 'https',
      address: undefined,
      url,
      headers: {},
      acceptsGzip: false,
      prefersMarkdown: false,
      body: '',
    }
    const answer = await handleRequest(request, this.#parts).catch((error: unknown) => this.#fail(error))
    if (answer?.body instanceof ReadableStream) await answer.body.cancel()
    // A page that cannot be shown at all cannot be shown in an outage either.
    if (answer?.status === 503) this.hasFailed = true
  }

  #fail(error: unknown): undefined {
    const isRefused = error instanceof ApiFailure && error.status < 500
    if (!isRefused) this.hasFailed = true
  }

  #client(): ApiClient {
    return {
      // Nobody has looked at the pages.
      send: () => Promise.resolve({ text: '{}' }),
      events: () => {
        throw new ApiFailure(404, 'Walks ask nothing')
      },
      read: request => this.#read({ ...request, signal: this.#signal }),
      download: (url, _headers, { name }: DownloadOptions = {}) => this.#download(url, name),
    }
  }

  async #read(request: ApiRequest): Promise<{ text: string }> {
    const lookup = lookupIn(request)
    if (lookup) return this.#lookUp(lookup.url, request)
    return this.#readReply(request).catch((error: unknown) => {
      // The token of the walk has ended: the next lookup is the API's.
      if (error instanceof ApiFailure && error.status === 401) this.#addressed = undefined
      throw error
    })
  }

  /** Looks the site up once; its other addresses follow from that. */
  async #lookUp(url: string, request: ApiRequest): Promise<{ text: string }> {
    const place = this.#addressed && resolveAddress(url, this.#addressed)
    if (place) return { text: JSON.stringify(place) }
    const reply = await this.#tools.client.readThrough(request)
    const lookup = openLookup(JSON.parse(reply.text) as Lookup)
    if (!lookup) return reply
    const { organization, site, siteBasePath, apiToken: token } = lookup
    // Replies to its token are kept.
    this.#tools.sites.confirm(url, lookup, Date.now())
    const { text } = await this.#readReply({ path: `/orgs/${organization}/sites/${site}/published`, query: {}, token })
    this.#addressed = { published: JSON.parse(text) as PublishedSite, lookup, siteBasePath }
    return reply
  }

  async #readReply(request: ApiRequest): Promise<{ text: string }> {
    const { client, store } = this.#tools
    const kind = kindOf(request)
    const key = keyOf(request)
    if (kind) this.#used.add(key)
    const version = versionOf(request.token ?? '')
    const whole = this.#spaces.get(key)
    if (whole) return whole
    const place = kind === 'part' && { site: this.#site.id, key, kind }
    const text = place ? await store.readText(place, version) : undefined
    if (text !== undefined) return { text }
    const reply = await client.readThrough(request)
    if (reply.isLost && kind !== 'redirect') this.isFull = true
    if (kind === 'space') this.#spaces.set(key, { text: reply.text, version })
    return reply
  }

  async #download(url: string, name: DownloadOptions['name']): Promise<Response> {
    if (name) await this.#fetchFile(url, name)
    return new Response(null)
  }

  /** Fetches a file unless the one on disk is the same. */
  async #fetchFile(url: string, name: NonNullable<DownloadOptions['name']>): Promise<void> {
    const { api, store } = this.#tools
    const place = { site: this.#site.id, key: name.key, kind: 'file' as const }
    this.#used.add(name.key)
    const etag = (await store.readFile(place))?.headers.etag
    const response = await api
      .download(url, etag === undefined ? {} : { 'if-none-match': etag }, { signal: this.#signal })
      .catch((error: unknown) => this.#fail(error))
    const size = Number(response?.headers.get('content-length') ?? 0)
    if (response?.status !== 200 || !response.body || !store.fits(size)) {
      await response?.body?.cancel()
      if (response && response.status >= 500) this.hasFailed = true
      return
    }
    const headers = Object.fromEntries(
      fileHeaderNames.flatMap(header => {
        const value = response.headers.get(header)
        return value === null ? [] : [[header, value] as const]
      }),
    )
    const isWritten = await store.writeFile(place, { headers, bytes: response.body, size })
    if (!isWritten) this.isFull = true
    if (!isWritten && !response.body.locked) await response.body.cancel()
  }
}

/** Where the spaces of a site begin, at the same origin as its root: the root itself first. */
function spaceUrls(published: PublishedSite, root: string): string[] {
  const bases = siteSpacesOf(published).map(siteSpace => publishedBase(siteSpace) ?? root)
  const site = published.site.urls.published?.replace(/\/?$/, '/') ?? root
  const urls = bases.map(base => (base.startsWith(site) ? `${root}${base.slice(site.length)}` : root))
  return [...new Set([root, ...urls])]
}
