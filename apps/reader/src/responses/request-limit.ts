import { LRUCache } from 'lru-cache'
import { networkOf } from './network.ts'

/** Counts requests by address in this process; addresses of one network count together. */
export interface RequestLimit {
  /** Counts a request; returns the seconds after which the next one is answered where this one is one too many. */
  take(address: string): number | undefined
}

const minute = 60_000
/** Networks that are counted at the same time. */
const maxNetworks = 20_000

/** Creates a limit of requests per minute and network. */
export function createRequestLimit(perMinute: number): RequestLimit {
  const windows = new LRUCache<string, { count: number }>({ max: maxNetworks, ttl: minute })
  return {
    take(address) {
      const key = networkOf(address)
      const window = windows.get(key) ?? { count: 0 }
      if (window.count === 0) windows.set(key, window)
      window.count += 1
      return window.count > perMinute ? Math.max(1, Math.ceil(windows.getRemainingTTL(key) / 1_000)) : undefined
    },
  }
}
