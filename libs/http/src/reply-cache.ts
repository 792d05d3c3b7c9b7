import { noneMatchNames, wholeBody, type BusReply } from '@recto/bus'
import { LRUCache } from 'lru-cache'
import type { CachePlace } from './reply-cache.rules.ts'

/** Counts and size of a cache. */
export interface CacheState {
  hits: number
  misses: number
  bytes: number
}

/** Replies that services have made for several callers. */
export interface ReplyCache {
  /** The reply at a place, else what `ask` resolves to: callers of one place at the same time ask once. Rejects as `ask` does. */
  reply(place: CachePlace, ask: () => Promise<BusReply>): Promise<BusReply>
  /** Drops the replies that belong to a resource; of those in progress, none is kept. */
  drop(resource: string): void
  clear(): void
  state(): CacheState
}

interface CachedReply {
  within: string
  etag: string | undefined
  body: Uint8Array
}

interface Flight {
  within: string
  /** Undefined when the reply is not kept: then every caller asks. */
  cachedReply: Promise<CachedReply | undefined>
}

/** Bytes that an entry takes besides its body. */
const overhead = 512
/** One reply takes at most one of this many parts of the cache. */
const minReplies = 8

/** Creates a cache of replies of at most `size` bytes, and `maxAge` milliseconds of age. */
export function createReplyCache({ size, maxAge }: { size: number; maxAge: number }): ReplyCache {
  const maxBytes = Math.floor(size / minReplies)
  const replies = new LRUCache<string, CachedReply>({
    maxSize: size,
    ttl: maxAge,
    sizeCalculation: ({ body }) => body.byteLength + overhead,
  })
  const flights = new Map<string, Flight>()
  const seen = { hits: 0, misses: 0 }

  const askFirst = async (place: CachePlace, ask: () => Promise<BusReply>): Promise<BusReply> => {
    const pendingReply = ask()
    const flight = {
      within: place.within,
      cachedReply: pendingReply.then(reply => cachedReplyOf(reply, { ...place, maxBytes })),
    }
    flights.set(place.key, flight)
    try {
      const cachedReply = await flight.cachedReply
      // A reply that was dropped in the meantime may be outdated.
      if (cachedReply && flights.get(place.key) === flight) replies.set(place.key, cachedReply)
      return cachedReply ? replyOf(cachedReply) : await pendingReply
    } finally {
      if (flights.get(place.key) === flight) flights.delete(place.key)
    }
  }
  return {
    async reply(place, ask) {
      const flight = flights.get(place.key)
      const cachedReply = replies.get(place.key) ?? (flight && (await flight.cachedReply))
      seen[cachedReply ? 'hits' : 'misses'] += 1
      if (cachedReply) return replyOf(cachedReply)
      return flight ? ask() : askFirst(place, ask)
    },
    drop(resource) {
      for (const [key, { within }] of replies.entries()) if (within === resource) replies.delete(key)
      for (const [key, { within }] of flights) if (within === resource) flights.delete(key)
    },
    clear() {
      replies.clear()
      flights.clear()
    },
    state: () => ({ ...seen, bytes: replies.calculatedSize }),
  }
}

/** Only a success is kept: what is missing or fails now may be there later. */
async function cachedReplyOf(
  reply: BusReply,
  { within, maxBytes }: { within: string; maxBytes: number },
): Promise<CachedReply | undefined> {
  if (reply.status !== 200 || reply.size + overhead > maxBytes) return undefined
  // A copy: the bytes of a message are part of a larger piece that was read from the connection.
  return { within, etag: reply.etag, body: new Uint8Array(await wholeBody(reply)) }
}

function replyOf({ etag, body }: CachedReply): BusReply {
  return { status: 200, ...(etag !== undefined && { etag }), body, size: body.byteLength }
}

/** A reply as the client with this `If-None-Match` gets it: without body when it has the same. */
export function conditionalReply(reply: BusReply, ifNoneMatch: string | undefined): BusReply {
  const { status, etag } = reply
  if (status !== 200 || ifNoneMatch === undefined || etag === undefined) return reply
  return noneMatchNames(ifNoneMatch, etag) ? { status: 304, etag, body: new Uint8Array(), size: 0 } : reply
}
