import { createSemaphore } from '@recto/worker-pool'
import { LRUCache } from 'lru-cache'
import type { RenderBody } from './read-body.ts'

/** Milliseconds of a page after which its site counts as slow, and for how long it does. */
const slowPage = 2_000
const slowFor = 60_000
/** Sites that are remembered as slow. */
const maxSlowSites = 10_000

/**
 * Renders at most as many pages at a time as there are threads, so that a site whose pages take long keeps no others waiting: all slow sites
 * together have one thread less than there are.
 */
export function createFairRender(
  render: RenderBody,
  { threads, now = () => performance.now() }: { threads: number; now?: () => number },
): RenderBody {
  const places = createSemaphore(threads)
  const slowPlaces = createSemaphore(Math.max(1, threads - 1))
  const slowSites = new LRUCache<string, true>({ max: maxSlowSites, ttl: slowFor })
  /** Resolves to what frees the places of a page; a site may turn out to be slow while its pages wait. */
  const take = async (site: string): Promise<() => void> => {
    const releaseSlow = slowSites.has(site) ? await slowPlaces.take() : undefined
    const release = await places.take()
    if (!releaseSlow && slowSites.has(site)) {
      release()
      return take(site)
    }
    return () => {
      release()
      releaseSlow?.()
    }
  }
  return async (input, site) => {
    const release = await take(site)
    const begun = now()
    try {
      return await render(input, site)
    } finally {
      if (now() - begun > slowPage) slowSites.set(site, true)
      release()
    }
  }
}
