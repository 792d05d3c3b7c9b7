import type { MarkdownTasks } from '@recto/markdown'
import { WorkerFailure, type WorkerPool } from '@recto/worker-pool'
import { LRUCache } from 'lru-cache'

/** The threads that parse Markdown. */
export type MarkdownPool = WorkerPool<MarkdownTasks>

/** One parse: the size of its result in the cache, in the unit of the cache's `maxSize`, and how to make it. */
interface Parse<Value> {
  length: number | ((value: Value) => number)
  parse(): Promise<Value>
}

/** Results of parses by key; callers with one key share one running parse. */
export type ParseCache<Value extends object> = LRUCache<string, Value, Parse<Value>>

/** Creates a cache of results whose sizes add up to `maxSize` at most. A parse that fails is not remembered. */
export function createParseCache<Value extends object>(maxSize: number): ParseCache<Value> {
  return new LRUCache<string, Value, Parse<Value>>({
    maxSize,
    // A parse whose place in the cache is taken meanwhile still answers its callers.
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

/** Resolves to the result of a task, or to the fallback when it exceeds a limit of its thread; rejects when the service stops. */
export async function orFallback<Value>(task: Promise<Value>, fallback: () => Value): Promise<Value> {
  try {
    return await task
  } catch (error) {
    if (error instanceof WorkerFailure && error.reason !== 'closed') return fallback()
    throw error
  }
}
