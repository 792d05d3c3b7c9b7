import { feed } from '@recto/contracts-events'
import { feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { presentEvent } from './present-event.ts'
import { openFeed, readFeed, type FeedPart, type FeedPosition, type FeedRequest } from './read-feed.ts'

/** Events that a stream reads at once. */
const streamPart = 100

export const feedFeature = feature<BaseContext>()(feed, {
  async listEvents({ params, query: { after, limit, wait, ...filters } }, context) {
    const request = { ...filters, organization: params.organizationId }
    const from = await openFeed(context, request.organization, after)
    const until = Date.now() + wait * 1_000
    const part = await readWhenThere(context, request, { from, limit, until })
    return { object: 'events' as const, events: part.events.map(presentEvent), cursor: part.cursor }
  },

  async streamEvents({ params, query: { after, seconds, ...filters }, headers }, context) {
    const request = { ...filters, organization: params.organizationId }
    const from = await openFeed(context, request.organization, headers['last-event-id'] ?? after ?? 'latest')
    return streamOf(context, request, { from, until: Date.now() + seconds * 1_000 })
  },
})

/** Reads the feed until it has an event for the caller, or until a time. */
async function readWhenThere(
  context: Context,
  request: FeedRequest,
  { from, limit, until }: { from: FeedPosition; limit: number; until: number },
): Promise<FeedPart> {
  let position = from
  for (;;) {
    const arrival = new AbortController()
    const waiting = context.arrivals.wait(request.organization, until - Date.now(), arrival.signal)
    const part = await readFeed(context, request, { from: position, limit })
    const isOver = part.events.length > 0 || (part.isAtEnd && Date.now() >= until) || context.signal.aborted
    if (isOver || !part.isAtEnd) arrival.abort()
    if (isOver) return part
    position = part
    await waiting
  }
}

async function* streamOf(
  context: Context,
  request: FeedRequest,
  { from, until }: { from: FeedPosition; until: number },
) {
  let position = from
  while (Date.now() < until && !context.signal.aborted) {
    const part = await readWhenThere(context, request, { from: position, limit: streamPart, until })
    yield* part.events.map(presentEvent)
    position = part
  }
}
