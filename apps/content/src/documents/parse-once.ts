import type { MarkdownTasks } from '@recto/markdown'
import { WorkerFailure, type WorkerPool } from '@recto/worker-pool'
import type { LRUCache } from 'lru-cache'

/** The threads that parse Markdown. */
export type MarkdownPool = WorkerPool<MarkdownTasks>

/** Running parses, by the cache and key that their result goes to. */
const running = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Resolves to the cached value of a key, or to the result of `parse`: callers with one key share one parse. */
export async function parseOnce<Value extends object>(
  cache: LRUCache<string, Value>,
  { key, length }: { key: string; length: number | ((value: Value) => number) },
  parse: () => Promise<Value>,
): Promise<Value> {
  const known = cache.get(key)
  if (known) return known
  const started = running.get(cache) ?? new Map<string, Promise<unknown>>()
  running.set(cache, started)
  const pending = started.get(key)
  if (pending) return pending as Promise<Value>
  const parsing = parse()
  started.set(key, parsing)
  try {
    const value = await parsing
    cache.set(key, value, { size: 1 + (typeof length === 'number' ? length : length(value)) })
    return value
  } finally {
    started.delete(key)
  }
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
