import { onSignal, type Bus } from '@recto/bus'
import { publishingEvents } from '@recto/contracts-publishing-bus'
import type { Db } from '@recto/database'
import { LRUCache } from 'lru-cache'
import { basenameIn } from '../addresses/addresses.rules.ts'
import { findAtHost, findVisited, type VisitedSite } from './read-visited-site.ts'

/** The sites that visitors open, kept in memory and read again after a change. */
export interface VisitedSites {
  /** The sites at a host. */
  atHost(db: Db, host: string): Promise<VisitedSite[]>
  byId(db: Db, id: string): Promise<VisitedSite | undefined>
}

/** Sites that were read or are being read; `ids` is empty until they are known. */
interface Entry {
  loading: Promise<VisitedSite[]>
  ids: readonly string[]
}

const hostKey = (host: string) => `host ${host}`

/**
 * Caches sites by host and by id: lookups are the hottest read of the platform, and sites change seldom. A signal of a change empties the
 * cache of what may be concerned; what was read is used for `lifetime` milliseconds when a signal was lost.
 */
export function createVisitedSites(sitesUrl: string, lifetime = 10_000): VisitedSites & { follow(bus: Bus): void } {
  const cache = new LRUCache<string, Entry>({ max: 20_000, ttl: lifetime })
  const read = async (key: string, load: () => Promise<VisitedSite[]>): Promise<VisitedSite[]> => {
    const before = cache.get(key)
    if (before) return before.loading
    const entry: Entry = { loading: load(), ids: [] }
    cache.set(key, entry)
    try {
      const found = await entry.loading
      entry.ids = found.map(({ site }) => site.id)
      return found
    } catch (error) {
      if (cache.peek(key) === entry) cache.delete(key)
      throw error
    }
  }
  /** Sites that are still being read, and hosts without a site, may be affected by any change; other hosts by a site that is found there now. */
  const drop = (site: string, hosts: readonly string[] = []): void => {
    for (const host of hosts) cache.delete(hostKey(host))
    for (const [key, { ids }] of cache.entries()) if (ids.length === 0 || ids.includes(site)) cache.delete(key)
  }
  return {
    atHost: (db, host) => read(hostKey(host), () => findAtHost(db, { host, basename: basenameIn(host, sitesUrl) })),
    byId: async (db, id) => {
      const [found] = await read(`id ${id}`, async () => [await findVisited(db, id)].filter(site => site !== undefined))
      return found
    },
    follow(bus) {
      onSignal(bus, publishingEvents.siteChanged, ({ site, hosts }) => drop(site, hosts))
      onSignal(bus, publishingEvents.siteDeleted, ({ site }) => drop(site))
      bus.onReconnect(() => cache.clear())
    },
  }
}
