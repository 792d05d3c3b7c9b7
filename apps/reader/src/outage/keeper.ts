import { setTimeout as delay } from 'node:timers/promises'
import type { Log, Metrics } from '@recto/telemetry'
import { ApiFailure, type ApiClient } from '../api/api-client.ts'
import type { PageResponse } from '../responses/page-response.ts'
import type { RequestParts } from '../server/handle-request.ts'
import { checkSite, probeSite } from './check-site.ts'
import { createCircuit } from './circuit.ts'
import { KeptClient } from './kept-client.ts'
import { createKeptSearch } from './kept-search.ts'
import { KeptSites, type KeptSite } from './kept-sites.ts'
import { openKeptStore, type KeptStore } from './kept-store.ts'
import { outageTimes, pauseOfChecks, type OutageTimes } from './outage.rules.ts'
import { walkSite } from './walk-site.ts'

/** Keeps sites for an outage. */
export interface Keeper {
  /** The client through which visitors read. */
  client: ApiClient
  /** Begins to look after sites, whose addresses are answered with these parts. */
  start(parts: Omit<RequestParts, 'tools'>): void
  /** Something has changed: what it names is checked at once. */
  notify(tags: readonly string[]): void
  /** Counts an answer if it is one of an outage: from disk, or for want of that. */
  count(answer: Pick<PageResponse, 'status' | 'headers'>): void
  stop(): Promise<void>
}

/** Options of keeping sites. */
export interface KeeperOptions {
  api: ApiClient
  folder: string
  maxBytes: number
  log: Log
  metrics: Metrics
  /** Called when an outage begins or ends: what may have changed is to be asked for again. */
  forget(): void
  times?: OutageTimes
}

/** Sites that are looked after: each is asked for every few seconds. */
const maxSites = 500
/** Milliseconds between two warnings of the disk, and between two saves of when a site was opened. */
const minute = 60_000
/** Milliseconds for a check. */
const checkDeadline = 30_000
/** Milliseconds after which a walk that failed is tried again. */
const walkAgain = 10_000

/** Opens the folder of kept sites. */
export async function openKeeper({
  api,
  folder,
  maxBytes,
  log,
  metrics,
  forget,
  times = outageTimes,
}: KeeperOptions): Promise<Keeper> {
  const faults = { at: 0 }
  const sitesOf: { sites?: KeptSites } = {}
  const onFault = (error: unknown) => {
    if (Date.now() - faults.at < minute) return
    faults.at = Date.now()
    log.warn({ err: error }, 'replies for an outage cannot be kept, or read')
  }
  const askedAt = (id: string) => sitesOf.sites?.byId(id)?.askedAt ?? 0
  const store = await openKeptStore({ folder, maxBytes, askedAt, onFault })
  const sites = new KeptSites(maxSites, store.sites)
  sitesOf.sites = sites
  return new SiteKeeper({ api, store, sites, log, metrics, forget, times })
}

interface SiteKeeperParts extends Pick<KeeperOptions, 'api' | 'log' | 'metrics' | 'forget'> {
  store: KeptStore
  sites: KeptSites
  times: OutageTimes
}

class SiteKeeper implements Keeper {
  readonly client: KeptClient
  readonly #parts: SiteKeeperParts
  readonly #circuit
  readonly #stopping = new AbortController()
  readonly #counts = { hits: 0, misses: 0 }
  #wake = new AbortController()
  #running: Promise<unknown> = Promise.resolve()
  #turn = 0

  constructor(parts: SiteKeeperParts) {
    const { api, store, sites, times } = parts
    this.#parts = parts
    this.#circuit = createCircuit({
      times,
      probe: signal => this.#probe(signal),
      hasSites: () => sites.all().length > 0,
      onChange: isOpen => this.#onChange(isOpen),
    })
    const search = createKeptSearch(store)
    this.client = new KeptClient({
      api,
      sites,
      store,
      circuit: this.#circuit,
      search,
      times,
      wake: () => this.#wake.abort(),
    })
    this.#register()
  }

  start(parts: Omit<RequestParts, 'tools'>): void {
    const checks = this.#repeat(() => this.#checkNext())
    const walks = this.#repeat(() => this.#walkNext(parts))
    this.#running = Promise.all([checks, walks])
  }

  notify(tags: readonly string[]): void {
    for (const site of this.#parts.sites.all()) {
      // Notifications of a space name the sites that show it.
      if (tags.includes(`site:${site.id}`)) site.isDoubtful = true
      if (tags.some(tag => tag.startsWith(`organization:${site.organization}:`))) delete site.walked
    }
    this.#wake.abort()
  }

  count({ status, headers }: Pick<PageResponse, 'status' | 'headers'>): void {
    if (headers['cache-status'] !== undefined) this.#counts.hits += 1
    else if (status === 503 && this.#circuit.since() !== undefined) this.#counts.misses += 1
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake.abort()
    await this.#circuit.stop()
    await this.#running
  }

  async #repeat(work: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const hasWorked = await work().catch((error: unknown) => {
        this.#parts.log.debug({ err: error }, 'a site was not checked')
        return false
      })
      if (hasWorked) continue
      const woken = AbortSignal.any([this.#wake.signal, signal])
      await delay(this.#parts.times.probeEvery, undefined, { signal: woken, ref: false }).catch(() => undefined)
      if (this.#wake.signal.aborted) this.#wake = new AbortController()
    }
  }

  /** Checks the site that waits longest for it; false when none is due. */
  async #checkNext(): Promise<boolean> {
    const { sites, times } = this.#parts
    await this.#reconcile()
    if (this.#circuit.since() !== undefined) return false
    const now = Date.now()
    const pause = pauseOfChecks(sites.all().length, times)
    const isDue = ({ isDoubtful, checkedAt }: KeptSite) => now - checkedAt >= (isDoubtful ? times.probeEvery : pause)
    const [site] = sites
      .all()
      .filter(isDue)
      .sort((one, other) => one.checkedAt - other.checkedAt)
    if (!site) return false
    const signal = AbortSignal.any([AbortSignal.timeout(checkDeadline), this.#stopping.signal])
    const read: ApiClient['read'] = request => this.client.readThrough(request)
    await checkSite(site, { sites, read, signal }).catch((error: unknown) => {
      site.isDoubtful = true
      throw error
    })
    await this.#save(site)
    return true
  }

  /** Walks a site that has changed since it was walked; false when none has. */
  async #walkNext(parts: Omit<RequestParts, 'tools'>): Promise<boolean> {
    const { sites, store, api, log } = this.#parts
    const now = Date.now()
    const isDue = ({ isOpen, state, walked, lastWalk }: KeptSite) => {
      const hasJustFailed = lastWalk?.end === 'failed' && now - lastWalk.at < walkAgain
      return isOpen && state !== undefined && state !== walked && !hasJustFailed
    }
    const [site] = sites
      .all()
      .filter(isDue)
      .sort((one, other) => other.askedAt - one.askedAt)
    if (!site || this.#circuit.since() !== undefined) return false
    const { state = '', lastWalk } = site
    const begun = performance.now()
    // A walk that was overtaken is followed by one that goes to its end: what changes all the time is walked, too.
    const mayBeOvertaken = lastWalk?.end !== 'overtaken'
    const end = await walkSite(
      site,
      { client: this.client, api, store, sites, parts },
      {
        signal: this.#stopping.signal,
        isOvertaken: () => mayBeOvertaken && site.state !== state,
      },
    )
    site.lastWalk = { end, at: Date.now(), state }
    if (end === 'failed' || end === 'overtaken') return end === 'overtaken'
    // Without what it was before, a site may have room: it is walked once more.
    if (end === 'full' && !(lastWalk?.end === 'full' && lastWalk.state === state)) return true
    site.isPartial = end === 'full'
    site.walked = state
    await this.#save(site, true)
    log.debug({ site: site.id, seconds: (performance.now() - begun) / 1_000 }, 'a site is kept for an outage')
    return true
  }

  async #save(site: KeptSite, isChanged = false): Promise<void> {
    const { sites, store } = this.#parts
    const isDue = Date.now() - (site.savedAt ?? 0) >= minute || !store.has(site.id)
    if (sites.byId(site.id) !== site || !site.isOpen || (!isDue && !isChanged)) return
    const { id, organization, askedAt, walked } = site
    const roots = [...site.roots.keys()]
    await store.saveSite({ id, organization, askedAt, roots, ...(walked !== undefined && { walked }) })
    site.savedAt = Date.now()
  }

  /** Removes from disk what is no site any more, and from memory what had to make room. */
  async #reconcile(): Promise<void> {
    const { sites, store } = this.#parts
    for (const id of store.siteIds()) if (!sites.byId(id)) await store.removeSite(id)
    for (const site of sites.all()) if (site.savedAt !== undefined && !store.has(site.id)) sites.remove(site)
  }

  /** Probes with the sites that were opened last, another one each time. */
  async #probe(signal: AbortSignal): Promise<boolean> {
    const { sites, api } = this.#parts
    const roots = sites
      .all()
      .sort((one, other) => other.askedAt - one.askedAt)
      .flatMap(site => [...site.roots.keys()].slice(0, 1))
      .slice(0, 2)
    const root = roots[this.#turn++ % Math.max(1, roots.length)]
    if (root === undefined) return true
    await probeSite(root, { read: request => api.send(request), signal }).catch((error: unknown) => {
      // Whatever the API refuses, it answers.
      if (!(error instanceof ApiFailure) || error.status >= 500) throw error
    })
    return true
  }

  #onChange(isOpen: boolean): void {
    const { log, forget, sites } = this.#parts
    if (isOpen) log.error({ sites: sites.all().length }, 'the API is away: sites that are kept are served from disk')
    else log.info({}, 'the API answers again')
    if (!isOpen) for (const site of sites.all()) site.isDoubtful = true
    forget()
    this.#wake.abort()
  }

  #register(): void {
    const { metrics, store, sites } = this.#parts
    metrics.registerCache('kept', () => ({ ...this.#counts, bytes: store.state().bytes }))
    metrics.registerGauge(
      { name: 'kept_sites', help: 'Sites on disk, by whether all of them is', label: 'state' },
      async () => {
        const all = sites.all().filter(({ id }) => store.has(id))
        const whole = all.filter(
          ({ state, walked, isPartial }) => isPartial !== true && walked !== undefined && walked === state,
        ).length
        return { whole, partial: all.length - whole }
      },
    )
    metrics.registerGauge(
      { name: 'outage_seconds', help: 'Time for which the API has not answered', label: 'upstream' },
      async () => {
        const since = this.#circuit.since()
        return { api: since === undefined ? 0 : (Date.now() - since) / 1_000 }
      },
    )
  }
}
