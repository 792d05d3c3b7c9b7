import { LRUCache } from 'lru-cache'
import type { SiteLookup } from '../api/types.ts'
import { rootOf, versionOf } from './kept-request.rules.ts'
import type { StoredSite } from './site-folder.ts'

/** A site that an anonymous visitor has opened, or that was kept when the process started. */
export interface KeptSite {
  readonly id: string
  readonly organization: string
  /** When the API last let an anonymous visitor in, by the addresses at which the site begins; undefined for one that it is to be asked about. */
  readonly roots: Map<string, number | undefined>
  askedAt: number
  /** When it was checked last. */
  checkedAt: number
  /** It is to be checked before all others. */
  isDoubtful: boolean
  /** The published site said that everybody may read it. */
  isOpen: boolean
  /** The last lookup of the process, at any space. */
  lookup?: SiteLookup
  version?: string
  /** The state as the last check saw it, and the one whose addresses were all walked. */
  state?: string
  walked?: string
  /** There was no room for a part of it. */
  isPartial?: boolean
  /** The last walk of the process: how it ended, when, and the state that it was of. */
  lastWalk?: { end: WalkEnd; at: number; state: string }
  /** When the process wrote last which site it is. */
  savedAt?: number
}

/**
 * The end of a walk: everything of the site is on disk, there was no room for something, something could not be read, or the site has
 * changed meanwhile.
 */
export type WalkEnd = 'whole' | 'full' | 'failed' | 'overtaken'

/** Tokens of lookups that are told apart; those of an outage are used for as long as it lasts. */
const maxTokens = 50_000
/** Parts of a path that may lead to a site: a proxy has no more. */
const maxOwnParts = 10
/** Addresses of one site that are looked after. */
const maxRoots = 10

/** The sites of this process, in memory: what the API said of them in its life. */
export class KeptSites {
  readonly #byId = new Map<string, KeptSite>()
  readonly #byRoot = new Map<string, KeptSite>()
  readonly #byToken = new LRUCache<string, KeptSite>({ max: maxTokens })
  readonly #maxSites: number

  constructor(maxSites: number, stored: readonly StoredSite[]) {
    this.#maxSites = maxSites
    for (const { id, organization, roots, askedAt, walked } of stored) {
      const site = this.#add({ id, organization, askedAt, walked })
      for (const root of roots) this.#setRoot(site, root, undefined)
    }
  }

  all(): KeptSite[] {
    return [...this.#byId.values()]
  }

  byId(id: string): KeptSite | undefined {
    return this.#byId.get(id)
  }

  ofToken(token: string | undefined): KeptSite | undefined {
    const site = token === undefined ? undefined : this.#byToken.get(token)
    return site && this.#byId.get(site.id) === site ? site : undefined
  }

  /** The site at an address, and where it begins. */
  atUrl(url: string): { site: KeptSite; root: string } | undefined {
    if (!URL.canParse(url)) return undefined
    const { origin, pathname } = new URL(url)
    const parts = pathname.split('/').filter(Boolean).slice(0, maxOwnParts)
    for (let length = parts.length; length >= 0; length -= 1) {
      const path = parts.slice(0, length).map(part => `${part}/`)
      const root = `${origin}/${path.join('')}`.toLowerCase()
      const site = this.#byRoot.get(root)
      if (site) return { site, root }
    }
    return undefined
  }

  /** Notes that the API let an anonymous visitor in. */
  confirm(url: string, lookup: SiteLookup, now: number): KeptSite | undefined {
    const { site: id, organization, apiToken } = lookup
    if (!this.#byId.has(id) && this.#byId.size >= this.#maxSites) this.#removeOldest()
    const site = this.#byId.get(id) ?? this.#add({ id, organization, askedAt: now, walked: undefined })
    const root = rootOf(url, lookup)
    if (!site.roots.has(root) && site.roots.size >= maxRoots) return undefined
    this.#setRoot(site, root, now)
    const version = versionOf(apiToken)
    // A token of an earlier version may come late, with a lookup that was sent before.
    if (site.version !== version) site.isDoubtful = site.version !== undefined
    site.version = version
    site.lookup = lookup
    this.#byToken.set(apiToken, site)
    return site
  }

  /** When the API last confirmed a site at any of its addresses. */
  confirmedAt(site: KeptSite): number | undefined {
    const times = [...site.roots.values()].filter(time => time !== undefined)
    return times.length === 0 ? undefined : Math.max(...times)
  }

  /** The API did not let somebody in at an address: nothing of it comes from disk until the site is confirmed there again. */
  doubt(root: string): KeptSite | undefined {
    const site = this.#byRoot.get(root)
    if (!site) return undefined
    site.roots.set(root, undefined)
    site.isDoubtful = true
    return site
  }

  /** Takes an address from a site; the site goes with the last of them. */
  removeRoot(site: KeptSite, root: string): void {
    site.roots.delete(root)
    if (this.#byRoot.get(root) === site) this.#byRoot.delete(root)
    if (site.roots.size === 0) this.remove(site)
  }

  remove(site: KeptSite): void {
    for (const root of site.roots.keys()) if (this.#byRoot.get(root) === site) this.#byRoot.delete(root)
    site.roots.clear()
    site.isOpen = false
    if (this.#byId.get(site.id) === site) this.#byId.delete(site.id)
  }

  #removeOldest(): void {
    const [oldest] = this.all().sort((one, other) => one.askedAt - other.askedAt)
    if (oldest) this.remove(oldest)
  }

  #add({
    id,
    organization,
    askedAt,
    walked,
  }: Omit<StoredSite, 'roots' | 'walked'> & { walked: string | undefined }): KeptSite {
    const times = { askedAt, checkedAt: 0 }
    const flags = { isDoubtful: true, isOpen: false }
    const site: KeptSite = {
      id,
      organization,
      roots: new Map(),
      ...times,
      ...flags,
      ...(walked !== undefined && { walked }),
    }
    this.#byId.set(id, site)
    return site
  }

  #setRoot(site: KeptSite, root: string, at: number | undefined): void {
    const before = this.#byRoot.get(root)
    if (before && before !== site) this.removeRoot(before, root)
    this.#byRoot.set(root, site)
    site.roots.set(root, at)
  }
}
