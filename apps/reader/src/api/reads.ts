import type { CacheState } from '@recto/telemetry'
import { LRUCache } from 'lru-cache'
import { ApiFailure, type ApiClient, type ApiRequest } from './api-client.ts'
import { createFlights, type Flights } from './flights.ts'
import { createMarks, type Marks } from './marks.ts'

/** Reads of the API, kept for as long as they may be. */
export interface Reads {
  /**
   * Reads what may change: kept for a moment, so that many readers at once ask once. A reply that is the same as before is the same
   * object, and what was made from it can be kept by it.
   */
  fresh<Reply extends object>(request: ApiRequest, options?: FreshOptions<Reply>): Promise<Reply>
  /** Reads what never changes: kept as long as there is room. */
  immutable<Reply extends object>(request: ApiRequest): Promise<Reply>
  /** The same reads for somebody who may leave: they reject then, and what nobody else waits for is aborted. */
  until(signal: AbortSignal): Pick<Reads, 'fresh' | 'immutable'>
  /** Forgets what may have changed. */
  forget(): void
  state(): CacheState
}

/** How a reply that may change is read. */
export interface FreshOptions<Reply> {
  /** Asks again, although the last reply is fresh. */
  renew?: boolean
  /** The mark of a reply, by which others confirm it, see `Marks`; undefined for one that is asked for itself. */
  markOf?: (reply: Reply) => string | undefined
}

/** Bounds of what is kept. */
export interface ReadsOptions {
  /** Milliseconds for which `fresh` does not ask again. */
  freshFor: number
  /** Bytes of replies. */
  maxBytes: number
}

interface Entry {
  text: string
  value: object
}

/** A reply that may change. */
interface LastReply extends Entry {
  /** When the API said so last, by the clock of the process. */
  answeredAt: number
}

/** A parsed reply takes a few times the memory of its text. */
const memoryPerCharacter = 4
/** Replies that may change, of so many addresses. */
const maxFresh = 20_000
/** Milliseconds for which a failure is not asked for again. */
const failureFor = 250
/** Milliseconds after which a reply is asked for again, although others confirm it. */
const confirmedFor = 10_000
/** Milliseconds after which a token has been replaced. */
const tokenWindow = 10 * 60_000

/** Creates reads through a client. */
export function createReads(client: ApiClient, { freshFor, maxBytes }: ReadsOptions): Reads {
  const room = { maxSize: Math.max(1, maxBytes / 4) }
  const flights = createFlights()
  // The last reply of each request: what comes again as it was is the same object.
  const lastReplies = new LRUCache<string, LastReply>({ ...room, max: maxFresh, sizeCalculation: size })
  const current = new LRUCache<string, Promise<Entry>>({ ...room, max: maxFresh, ttl: Math.max(1, freshFor) })
  const immutable = new LRUCache<string, Entry, ApiRequest>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: size,
    ttl: tokenWindow,
    ignoreFetchAbort: true,
    fetchMethod: async (key, _stale, { context: request }) => {
      const { text } = await read(`immutable ${key}`, request)
      return { text, value: JSON.parse(text) as object }
    },
  })
  const counts = { hits: 0, misses: 0 }

  const read = async (key: string, request: ApiRequest) => {
    const signal = flights.begin(key)
    return client.read({ ...request, signal }).finally(() => flights.end(key, signal))
  }
  const send = async (key: string, request: ApiRequest): Promise<Entry> => {
    const { text } = await read(key, request)
    const before = lastReplies.get(key)
    const answeredAt = performance.now()
    if (before?.text === text) return Object.assign(before, { answeredAt })
    const entry = { text, value: JSON.parse(text) as object, answeredAt }
    lastReplies.set(key, entry)
    return entry
  }
  const ask = (key: string, request: ApiRequest): Promise<Entry> => {
    const reply = send(key, request)
    current.set(key, reply, { size: key.length + 1 })
    reply.then(
      entry => {
        // Its size is known now; it is not fresh for longer because of that.
        const ttl = current.peek(key) === reply ? current.getRemainingTTL(key) : 0
        if (ttl <= 0) return
        current.delete(key)
        current.set(key, reply, { size: size(entry, key), ttl })
      },
      (error: unknown) => forgetSoon(current, { key, reply, error }),
    )
    return reply
  }

  const marks = createMarks(freshFor)
  const replies = { current, lastReplies, immutable, flights, marks, confirms: freshFor > 0, ask, counts }
  return {
    ...readsUntil(replies),
    until: signal => readsUntil(replies, signal),
    forget: () => {
      current.clear()
      marks.forget()
    },
    state: () => ({ ...counts, bytes: lastReplies.calculatedSize + immutable.calculatedSize }),
  }
}

interface Replies {
  current: LRUCache<string, Promise<Entry>>
  lastReplies: LRUCache<string, LastReply>
  immutable: LRUCache<string, Entry, ApiRequest>
  flights: Flights
  marks: Marks
  /** Whether a reply confirms others; without a time for which replies are fresh, each is asked for itself. */
  confirms: boolean
  ask(key: string, request: ApiRequest): Promise<Entry>
  counts: { hits: number; misses: number }
}

/** Reads of somebody who may leave before the replies are there; without a signal, of somebody who stays. */
function readsUntil(replies: Replies, signal?: AbortSignal): Pick<Reads, 'fresh' | 'immutable'> {
  const { current, immutable, flights, counts } = replies
  return {
    fresh: async <Reply extends object>(request: ApiRequest, { renew = false, markOf }: FreshOptions<Reply> = {}) => {
      signal?.throwIfAborted()
      const key = keyOf(request)
      const marked = replies.confirms && markOf ? { key, markOf: markOf as MarkOf } : undefined
      const cachedReply = renew ? undefined : current.get(key)
      const confirmation = marked && !renew && !cachedReply ? confirmationOf(replies, marked) : undefined
      // Whoever need not wait asks at once, so that others find that somebody asks.
      const confirmed = confirmation instanceof Promise ? await confirmation : confirmation
      if (confirmed) return confirmed.value as Reply
      counts[cachedReply ? 'hits' : 'misses'] += 1
      // Somebody may have asked meanwhile.
      const reply = cachedReply ?? (renew ? undefined : current.get(key)) ?? askFor(replies, request, marked ?? { key })
      const leave = () => void (current.peek(key) === reply && current.delete(key))
      return (await flights.wait(key, reply, { signal, leave })).value as Reply
    },
    immutable: async <Reply extends object>(request: ApiRequest) => {
      signal?.throwIfAborted()
      const key = keyOf(request)
      counts[immutable.has(key) ? 'hits' : 'misses'] += 1
      const reply = immutable.forceFetch(key, { context: request })
      const leave = () => void immutable.delete(key)
      return (await flights.wait(`immutable ${key}`, reply, { signal, leave })).value as Reply
    },
  }
}

type MarkOf = (reply: object) => string | undefined

/** The last reply of a request, if one that comes later says that it is still right; undefined where it has to be asked for. */
function confirmationOf(
  { lastReplies, marks, counts }: Replies,
  { key, markOf }: { key: string; markOf: MarkOf },
): Entry | Promise<Entry | undefined> | undefined {
  const last = lastReplies.get(key)
  const mark = last && performance.now() - last.answeredAt < confirmedFor ? markOf(last.value) : undefined
  if (!last || mark === undefined) return undefined
  if (!marks.isSeen(mark)) return marks.nextOf(mark)?.then(next => (next === mark ? last : undefined))
  counts.hits += 1
  return last
}

/** Asks for a reply; those whose last reply had the same mark wait for it. */
function askFor(
  { lastReplies, marks, ask }: Replies,
  request: ApiRequest,
  { key, markOf }: { key: string; markOf?: MarkOf },
): Promise<Entry> {
  const last = lastReplies.peek(key)
  const askedAt = performance.now()
  const reply = ask(key, request)
  if (!markOf) return reply
  const mark = reply.then(({ value }) => markOf(value))
  const lastMark = last && markOf(last.value)
  if (lastMark !== undefined) marks.ask(lastMark, mark)
  mark.then(
    seen => seen !== undefined && marks.see(seen, askedAt),
    () => undefined,
  )
  return reply
}

/** Keys count, too: visitors decide how long addresses and searches are. */
function size({ text }: Entry, key: string): number {
  return 1 + key.length + text.length * memoryPerCharacter
}

function keyOf({ path, query = {}, body, token = '' }: ApiRequest): string {
  return JSON.stringify([token, path, query, body])
}

/** A missing resource is asked for again at once; an API that does not answer is not asked by every visitor at once. */
function forgetSoon(
  cache: LRUCache<string, Promise<Entry>>,
  { key, reply, error }: { key: string; reply: Promise<Entry>; error: unknown },
): void {
  const wait = error instanceof ApiFailure && error.status === 503 ? failureFor : 0
  setTimeout(() => cache.peek(key) === reply && cache.delete(key), wait).unref()
}
