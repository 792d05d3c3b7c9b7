import { z } from 'zod'
import { ApiFailure } from '../api/api-client.ts'
import type { SiteFeature, SiteRequest, SiteTools } from '../layout/site-request.ts'
import type { PageResponse } from '../responses/page-response.ts'
import { countEvent, type SiteEvent } from './count-event.ts'

const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('page_view'), page: z.string().max(100) }),
  z.object({ type: z.literal('page_post_feedback'), page: z.string().max(100), rating: z.enum(['good', 'ok', 'bad']) }),
  z.object({ type: z.literal('search_type_query'), query: z.string().min(1).max(512) }),
])

/** Counts an event of a browser through the API: nothing of who the visitor is goes along. */
export const eventsFeature: SiteFeature = (request, tools) => {
  if (request.site.path !== '~recto/events' || request.method !== 'POST') return undefined
  return answerEvent(request, tools)
}

async function answerEvent(
  { site, body, view, visitorAddress }: SiteRequest,
  { api }: SiteTools,
): Promise<PageResponse> {
  const event = Event.safeParse(parseJson(body))
  if (!event.success) throw new ApiFailure(400, 'The event is not valid')
  // While the API is away nothing is counted, and only who sends an opinion is told.
  if (site.lookup.keptSince !== undefined && event.data.type !== 'page_post_feedback') return counted
  const { page = null } = 'page' in event.data ? event.data : {}
  await countEvent(typed(event.data), { site, page, language: view.language, visitorAddress, api })
  return counted
}

const counted: PageResponse = { status: 204, headers: { 'cache-control': 'no-store' }, body: null }

function typed(event: z.output<typeof Event>): SiteEvent {
  if (event.type === 'page_post_feedback') return { type: event.type, feedback: { rating: event.rating } }
  return event.type === 'page_view' ? { type: event.type } : { type: event.type, query: event.query }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
