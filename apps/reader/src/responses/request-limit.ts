import { LRUCache } from 'lru-cache'

/** Counts requests by key in this process. */
export interface RequestLimit {
  /** Counts a request; returns the seconds after which the next one is answered where this one is one too many. */
  take(key: string): number | undefined
}

const minute = 60_000
/** Keys that are counted at the same time. */
const maxKeys = 20_000

/** Creates a limit of requests per minute and key. */
export function createRequestLimit(perMinute: number): RequestLimit {
  const windows = new LRUCache<string, { count: number }>({ max: maxKeys, ttl: minute })
  return {
    take(key) {
      const window = windows.get(key) ?? { count: 0 }
      if (window.count === 0) windows.set(key, window)
      window.count += 1
      return window.count > perMinute ? Math.max(1, Math.ceil(windows.getRemainingTTL(key) / 1_000)) : undefined
    },
  }
}
