import type { ApiClient } from '../api/api-client.ts'
import type { OpenedSite } from '../loaders/open-site.ts'

/** An event as the API counts it, without who caused it and where. */
export type SiteEvent = { type: string } & Record<string, unknown>

/** The place of an event. */
interface EventPlace {
  site: OpenedSite
  page: string | null
  language: string
  visitorAddress: string | undefined
  /** The surface that shows the site, where that is no page of it. */
  displayContext?: 'mcp'
  api: ApiClient
}

/** Counts an event through the API: nothing of who the visitor is goes along. Events of what is not published are not counted. */
export async function countEvent(
  event: SiteEvent,
  { site, page, language, visitorAddress, displayContext, api }: EventPlace,
): Promise<void> {
  const { lookup, revision, siteSpace, isPreview } = site
  if (isPreview || lookup.changeRequest !== undefined) return
  const session = { visitorId: 'none', sessionId: 'none', cookies: {}, userAgent: '', language, referrer: null }
  const location = {
    url: lookup.canonicalUrl,
    ...(displayContext && { displayContext }),
    siteSection: lookup.siteSection ?? null,
    siteSpace: siteSpace.id,
    siteShareKey: lookup.shareKey ?? null,
    space: lookup.space,
    revision: revision.id,
    page,
  }
  await api.send({
    method: 'POST',
    visitorAddress,
    path: `/orgs/${lookup.organization}/sites/${lookup.site}/insights/events`,
    body: { events: [{ ...event, session, location }] },
  })
}

/** Events that are counted at once in the background; further ones are left out, so that a slow API holds up nothing. */
const maxPending = 32
let pending = 0

/** Counts an event after its request was answered; what cannot be counted is not. */
export function countInBackground(event: SiteEvent, place: EventPlace): void {
  if (pending >= maxPending) return
  pending += 1
  void countEvent(event, place)
    .catch(() => undefined)
    .finally(() => {
      pending -= 1
    })
}
