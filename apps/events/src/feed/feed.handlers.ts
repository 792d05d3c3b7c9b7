import { feed } from '@recto/contracts-events'
import { feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { presentEvent } from './present-event.ts'
import { openFeed, readFeed, type FeedPart, type FeedPosition, type FeedRequest } from './read-feed.ts'

/** Events that a stream reads at once. */
const streamPart = 100
/** Looks of one request at events that the caller may not see; the next request continues behind them. */
const maxLooks = 10

/** Where a part of the feed begins, and until when it is waited for. */
interface Waiting {
  from: FeedPosition
  until: number
  /** Aborts when the rights of the caller may have changed. */
  changed: AbortSignal
}

export const feedFeature = feature<BaseContext>()(feed, {
  async listEvents({ params, query: { after, limit, wait, ...filters } }, context) {
    const request = { ...filters, organization: params.organizationId }
    const { signal: changed, mayWait, end } = context.rights.watch(context.actor)
    try {
      const from = await openFeed(context, request.organization, after)
      const until = Date.now() + (mayWait ? wait * 1_000 : 0)
      const part = await readWhenThere(context, request, { from, limit, until, changed })
      return { object: 'events' as const, events: part.events.map(presentEvent), cursor: part.cursor }
    } finally {
      end()
    }
  },

  async streamEvents({ params, query: { after, seconds, ...filters }, headers }, context) {
    const request = { ...filters, organization: params.organizationId }
    const from = await openFeed(context, request.organization, headers['last-event-id'] ?? after ?? 'latest')
    return streamOf(context, request, { from, until: Date.now() + seconds * 1_000 })
  },
})

/** Reads the feed until it has an event for the caller, until a time, or until the rights of the caller change. */
async function readWhenThere(
  context: Context,
  request: FeedRequest,
  { from, limit, until, changed }: Waiting & { limit: number },
): Promise<FeedPart> {
  let position = from
  for (let looks = 1; ; looks += 1) {
    const arrival = new AbortController()
    const signal = AbortSignal.any([arrival.signal, changed])
    const waiting = context.arrivals.wait(request.organization, until - Date.now(), signal)
    const part = await readFeed(context, request, { from: position, limit })
    // Who may not see these events any more gets none of them; the next request is decided anew.
    if (changed.aborted) return { ...position, events: [], isAtEnd: true }
    const isOver =
      part.events.length > 0 || (part.isAtEnd ? Date.now() >= until : looks >= maxLooks) || context.signal.aborted
    if (isOver || !part.isAtEnd) arrival.abort()
    if (isOver) return part
    position = part
    await waiting
  }
}

/**
 * The events of a stream. It ends when the rights of the caller change, for the client to connect again, and at once when the caller has
 * too many.
 */
async function* streamOf(context: Context, request: FeedRequest, { from, until }: Pick<Waiting, 'from' | 'until'>) {
  const { signal: changed, mayWait, end } = context.rights.watch(context.actor)
  try {
    let position = from
    while (mayWait && Date.now() < until && !context.signal.aborted && !changed.aborted) {
      const part = await readWhenThere(context, request, { from: position, limit: streamPart, until, changed })
      yield* part.events.map(presentEvent)
      position = part
    }
  } finally {
    end()
  }
}
