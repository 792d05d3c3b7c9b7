import type { MarkdownTasks } from '@recto/markdown'
import { WorkerFailure, type WorkerPool } from '@recto/worker-pool'
import { LRUCache } from 'lru-cache'

/** The worker threads that parse Markdown. */
export type MarkdownPool = WorkerPool<MarkdownTasks>

/** A function that parses, and the size of its result in the cache, in the unit of the cache's `maxSize`. */
interface Parse<Value> {
  length: number | ((value: Value) => number)
  parse(): Promise<Value>
}

/** Results of parses by key; callers with one key share one running parse. */
export type ParseCache<Value extends object> = LRUCache<string, Value, Parse<Value>>

/** Creates a cache of results whose sizes add up to at most `maxSize`. Failures are not cached. */
export function createParseCache<Value extends object>(maxSize: number): ParseCache<Value> {
  return new LRUCache<string, Value, Parse<Value>>({
    maxSize,
    // A parse whose entry is evicted meanwhile still resolves for its callers.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { length, parse }, options }) => {
      const value = await parse()
      options.size = 1 + (typeof length === 'number' ? length : length(value))
      return value
    },
  })
}

/** Resolves to the cached value of a key, or to the result of `parse`: callers with one key share one parse. */
export function parseOnce<Value extends object>(
  cache: ParseCache<Value>,
  { key, length }: { key: string; length: Parse<Value>['length'] },
  parse: () => Promise<Value>,
): Promise<Value> {
  return cache.forceFetch(key, { context: { length, parse } })
}

/** Resolves to the result of a task, or to the fallback when the task exceeds a limit of its thread; rejects when the service stops. */
export async function orFallback<Value>(task: Promise<Value>, fallback: () => Value): Promise<Value> {
  try {
    return await task
  } catch (error) {
    if (error instanceof WorkerFailure && error.reason !== 'closed') return fallback()
    throw error
  }
}
