import { ApiFailure, type ApiClient, type ApiReply, type ApiRequest } from '../api/api-client.ts'
import type { Lookup, PublishedSite } from '../api/types.ts'
import { apiAway, type Circuit } from './circuit.ts'
import { fileAnswer } from './kept-file.rules.ts'
import {
  completeKey,
  keyOf,
  kindOf,
  lookupIn,
  openLookup,
  type LookupRequest,
  versionOf,
} from './kept-request.rules.ts'
import type { KeptSearch } from './kept-search.ts'
import type { KeptSite, KeptSites } from './kept-sites.ts'
import type { KeptStore } from './kept-store.ts'
import { dependsOnVisitor, isOpenToAll, isServable, type OutageTimes } from './outage.rules.ts'
import { resolveAddress } from './resolve-address.rules.ts'

/** The parts of a client that keeps what it reads. */
export interface KeptClientParts {
  api: ApiClient
  sites: KeptSites
  store: KeptStore
  circuit: Circuit
  search: KeptSearch
  times: Pick<OutageTimes, 'confirmedFor'>
  /** A site is to be looked at: it is new, or something of it was refused. */
  wake(): void
}

/** A client of the API that keeps what anonymous visitors read of open sites, and answers with it while the API is away. */
export class KeptClient implements ApiClient {
  readonly #parts: KeptClientParts

  constructor(parts: KeptClientParts) {
    this.#parts = parts
  }

  send(request: ApiRequest): Promise<ApiReply> {
    const { api } = this.#parts
    return this.#ask(signal => api.send(withSignal(request, signal)), { request, isKept: false })
  }

  async *events<Event>(request: ApiRequest): AsyncGenerator<Event, void> {
    const { api, circuit } = this.#parts
    if (circuit.since() !== undefined) throw apiAway()
    yield* api.events<Event>(request)
  }

  async read(request: ApiRequest): Promise<ApiReply> {
    const { api, circuit } = this.#parts
    const fallback = () => this.#fallback(request)
    const isAway = circuit.since() !== undefined
    const earlyReply = isAway ? await fallback() : undefined
    if (earlyReply) return earlyReply
    try {
      const isKept = !isAway && this.#mayBeKept(request)
      const reply = await this.#ask(signal => api.read(withSignal(request, signal)), { request, isKept })
      // A reply that cannot be read fails for who asked for it.
      this.#keep(request, reply, true).catch(() => undefined)
      return reply
    } catch (error) {
      if (!isFailure(error)) throw error
      this.#noteRefusal(request, error)
      const reply = error.status === 503 && !request.signal?.aborted ? await fallback() : undefined
      if (reply) return reply
      throw error
    }
  }

  async download(...[url, headers, options = {}]: Parameters<ApiClient['download']>): Promise<Response> {
    const { api, circuit } = this.#parts
    const isAway = circuit.since() !== undefined
    const fallback = () => this.#fallbackFile(headers, options.name)
    const earlyResponse = isAway ? await fallback() : undefined
    if (earlyResponse) return earlyResponse
    const isKept = !isAway && options.name !== undefined
    try {
      const response = await circuit.ask(signal => api.download(url, headers, { ...options, signal }), { isKept })
      if (response.status < 500) return response
      circuit.suspect()
      const keptResponse = await fallback()
      if (keptResponse) await response.body?.cancel()
      return keptResponse ?? response
    } catch (error) {
      circuit.suspect()
      const response = isFailure(error) && error.status === 503 ? await fallback() : undefined
      if (response) return response
      throw error
    }
  }

  /** Reads from the API alone, as an anonymous visitor of a site, and keeps the reply; says whether there was no room for it. */
  async readThrough(request: ApiRequest): Promise<ApiReply & { isLost: boolean }> {
    const { api } = this.#parts
    const reply = await this.#ask(signal => api.read(withSignal(request, signal)), { request, isKept: true })
    const isLost = (await this.#keep(request, reply, false)) === false
    return { ...reply, isLost }
  }

  /** Keeps a reply if it is one of those; resolves when it is on disk, to false for want of room. */
  async #keep(request: ApiRequest, reply: ApiReply, isVisit: boolean): Promise<boolean | undefined> {
    const { sites, store } = this.#parts
    const lookup = lookupIn(request)
    if (lookup && isVisit) this.#noteVisit(lookup, reply)
    if (lookup) return undefined
    const site = sites.ofToken(request.token)
    const kind = kindOf(request)
    if (!site || !kind || request.token === undefined) return undefined
    const version = versionOf(request.token)
    // A reply that comes late shows the site as it was before.
    if ((kind === 'site' || kind === 'space') && version !== site.version) return undefined
    if (kind === 'site' && !isOpenToAll(JSON.parse(reply.text) as PublishedSite)) {
      this.#doubt(site)
      return undefined
    }
    if (kind === 'site') site.isOpen = true
    if (!site.isOpen || !store.has(site.id) || !store.fits(reply.text.length)) return undefined
    return store.writeText({ site: site.id, key: keyOf(request), kind }, version, reply.text)
  }

  /** Sends a request; one that fails as if the API were away has it probed. */
  async #ask<Reply>(
    work: (signal: AbortSignal) => Promise<Reply>,
    { request, isKept }: { request: ApiRequest; isKept: boolean },
  ): Promise<Reply> {
    const { circuit } = this.#parts
    return circuit.ask(work, { isKept }).catch((error: unknown) => {
      if (isFailure(error) && error.status === 503 && !request.signal?.aborted) circuit.suspect()
      throw error
    })
  }

  #mayBeKept(request: ApiRequest): boolean {
    const { sites } = this.#parts
    const lookup = lookupIn(request)
    return (lookup ? sites.atUrl(lookup.url)?.site : sites.ofToken(request.token))?.isOpen === true
  }

  #noteVisit({ url, isAnonymous }: LookupRequest, { text }: ApiReply): void {
    const { sites, wake } = this.#parts
    if (!isAnonymous) return
    const lookup = openLookup(JSON.parse(text) as Lookup)
    if (!lookup) return this.#refuse(url)
    const isNew = !sites.byId(lookup.site)
    const site = sites.confirm(url, lookup, Date.now())
    if (site) site.askedAt = Date.now()
    if (isNew || site?.isDoubtful === true) wake()
  }

  /** An address that names what is previewed may be refused or shown while the site is as open as ever. */
  #refuse(url: string): void {
    const { sites, wake } = this.#parts
    const at = sites.atUrl(url)
    if (!at) return
    if (url.includes('/~/')) at.site.isDoubtful = true
    else sites.doubt(at.root)
    wake()
  }

  #doubt(site: KeptSite): void {
    const { sites, wake } = this.#parts
    site.isOpen = false
    for (const root of site.roots.keys()) sites.doubt(root)
    wake()
  }

  #noteRefusal(request: ApiRequest, { status }: ApiFailure): void {
    if (![401, 403, 404].includes(status)) return
    const lookup = lookupIn(request)
    if (lookup?.isAnonymous === true) return this.#refuse(lookup.url)
    const site = this.#parts.sites.ofToken(request.token)
    const kind = kindOf(request)
    if (!site || (kind !== 'site' && kind !== 'space')) return
    if (kind === 'site' && status !== 401) return this.#doubt(site)
    site.isDoubtful = true
    this.#parts.wake()
  }

  #isServable(confirmedAt: number | undefined): boolean {
    const { circuit, times } = this.#parts
    return isServable({ confirmedAt, outageSince: circuit.since(), now: Date.now(), ...times })
  }

  async #fallback(request: ApiRequest): Promise<ApiReply | undefined> {
    const { sites, store, search } = this.#parts
    const lookup = lookupIn(request)
    if (lookup) return this.#fallbackLookup(lookup)
    const site = sites.ofToken(request.token)
    if (!site?.isOpen || !this.#isServable(sites.confirmedAt(site))) return undefined
    const kind = kindOf(request)
    if (!kind) return search.find(site, request)
    const place = { site: site.id, key: keyOf(request), kind }
    const wholeText = kind === 'space' ? await store.readText({ ...place, key: completeKey(place.key) }) : undefined
    const text = wholeText ?? (await store.readText(place))
    return text === undefined ? undefined : { text }
  }

  async #fallbackLookup({ url, isAnonymous }: LookupRequest): Promise<ApiReply | undefined> {
    const { sites, store, circuit } = this.#parts
    const at = sites.atUrl(url)
    if (!at?.site.lookup || !at.site.isOpen || !this.#isServable(at.site.roots.get(at.root))) return undefined
    const { id, organization, lookup } = at.site
    const key = keyOf({ path: `/orgs/${organization}/sites/${id}/published` })
    const text = await store.readText({ site: id, key, kind: 'site' })
    if (text === undefined) return undefined
    const published = JSON.parse(text) as PublishedSite
    if (!isAnonymous && dependsOnVisitor(published)) return undefined
    const { pathname: siteBasePath } = new URL(at.root)
    const place = resolveAddress(url, { published, lookup, siteBasePath })
    const keptSince = new Date(circuit.since() ?? Date.now()).toISOString()
    // Without an outage, its token is read with as ever.
    return place && { text: JSON.stringify({ ...place, ...(circuit.since() !== undefined && { keptSince }) }) }
  }

  async #fallbackFile(
    headers: Record<string, string>,
    name: { token: string; key: string } | undefined,
  ): Promise<Response | undefined> {
    const { sites, store } = this.#parts
    const site = sites.ofToken(name?.token)
    if (!name || !site?.isOpen || !this.#isServable(sites.confirmedAt(site))) return undefined
    const file = await store.readFile({ site: site.id, key: name.key, kind: 'file' })
    if (!file) return undefined
    const answer = fileAnswer(file, headers)
    const isEmpty = !answer.part || answer.part.end < answer.part.start
    const body = answer.part && !isEmpty ? file.open(answer.part) : null
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
}

function isFailure(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure
}

function withSignal(request: ApiRequest, signal: AbortSignal): ApiRequest {
  return { ...request, signal: request.signal ? AbortSignal.any([request.signal, signal]) : signal }
}
