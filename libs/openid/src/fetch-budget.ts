import { LRUCache } from 'lru-cache'

const maxUrls = 1_000
const maxFetches = 6
const window = 60_000

/** Bounds how often a process fetches one URL, whoever asks for it: six times in a minute. */
export class FetchBudget {
  readonly #times = new LRUCache<string, number[]>({ max: maxUrls })

  /** Whether the URL may be fetched now; then it counts as fetched. */
  take(url: string, now = Date.now()): boolean {
    const recent = (this.#times.get(url) ?? []).filter(time => time > now - window)
    if (recent.length >= maxFetches) return false
    this.#times.set(url, [...recent, now])
    return true
  }
}
