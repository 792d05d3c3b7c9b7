import { z } from 'zod'
import { insightsQueries } from './insights-query.ts'
import { ContentReference, empty, Id, text, Timestamp, endpoints, anyone } from '@recto/contracts-shared'
import {
  type insightsEventTypes,
  insightsLimits,
  linkPositions,
  llmsVariants,
  markdownSources,
  pageRatings,
} from './insights-values.ts'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'
const WebAddress = z.url().max(insightsLimits.url)
const Named = text({ max: insightsLimits.id }).nullable()

const Session = z
  .object({
    visitorId: z.string(),
    sessionId: z.string(),
    cookies: z.record(z.string(), z.string()),
    ip: z.string().optional(),
    userAgent: z.string(),
    language: z.string().nullable(),
    referrer: z
      .string()
      .refine(value => value === '' || URL.canParse(value), 'must be a URL, or empty')
      .nullable(),
    visitorAuthToken: z.string().nullable().optional(),
    visitorAuthClaims: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'SiteInsightsEventSession', description: 'Who caused an event; nothing of it is kept' })

const Location = z
  .object({
    url: WebAddress,
    displayContext: z.enum(['site', 'embed', 'server', 'mcp']).optional(),
    siteSection: Named,
    siteSpace: Named.describe('Must be a space on the site'),
    siteShareKey: Named,
    space: Named.describe('Without `siteSpace`, must be a space that the site shows'),
    revision: Named,
    page: Named,
  })
  .meta({ id: 'SiteInsightsEventLocation', description: 'Where on the site an event happened' })

const base = {
  session: Session,
  location: Location,
  timestamp: Timestamp.optional().describe('Within five minutes of now, which it is unless given'),
}
const Query = text({ max: insightsLimits.query })
const Rating = z.enum(pageRatings)
const Call = z
  .object({ path: z.string(), method: z.string() })
  .meta({ id: 'OpenAPIOperationPointer', description: 'An operation of an OpenAPI specification' })
const Ad = z
  .object({ domain: z.string(), zoneId: z.string(), placement: z.literal('aside') })
  .meta({ id: 'SiteInsightsAd', description: 'An advertisement' })

const Result = z.union(
  [
    z.object({ spaceId: Id, pageId: Id }),
    z.object({ recordId: Id }).describe('A record of another system, which this installation does not find'),
  ],
  { error: 'must have spaceId and pageId, or recordId' },
)

/** A tag is what the published API knows, and no link here leads to. */
const LinkTarget = z.discriminatedUnion('kind', [ContentReference, z.object({ kind: z.literal('tag'), tag: Id })])

/** An event of one type, with the fields of its own. */
function event<const Type extends (typeof insightsEventTypes)[number], Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({ ...base, type: z.literal(type), ...fields })
}

/** An event on a published site. */
export const SiteInsightsEvent = z
  .discriminatedUnion('type', [
    event('page_view', {}),
    event('page_markdown_request', { markdownSource: z.enum(markdownSources).optional() }),
    event('agent_feedback', {}),
    event('llms_request', { llmsVariant: z.enum(llmsVariants) }),
    event('mcp_request', {}),
    event('rss_request', {}),
    event('search_open', {}),
    event('search_type_query', { query: Query }),
    event('search_open_result', { query: Query, result: Result }),
    event('page_post_feedback', { feedback: z.object({ rating: Rating }) }),
    event('page_post_feedback_comment', {
      feedback: z.object({ rating: Rating, comment: text({ min: 1, max: insightsLimits.comment }) }),
    }),
    event('ask_question', { query: z.string(), goal: z.string().optional() }),
    event('ask_view', {}),
    event('ask_rate_response', { query: z.string(), rating: z.literal([1, -1]), responseId: Id }),
    event('link_click', { link: z.object({ target: LinkTarget, position: z.enum(linkPositions) }) }),
    event('api_client_open', { operation: Call }),
    event('api_client_request', { operation: Call }),
    event('trademark_click', { placement: z.enum(['sidebar', 'ad', 'footer', 'pdf', 'embed']) }),
    event('ad_click', { ad: Ad }),
    event('ad_display', { ad: Ad }),
  ])
  .meta({ id: 'SiteInsightsEvent', description: 'What happened on a published site' })

/** A page view at a place of a site, of whom nothing is known. */
const aPageView = (place: { siteSpace?: string; space?: string }) => ({
  type: 'page_view',
  session: { visitorId: 'v', sessionId: 's', cookies: {}, userAgent: 'a', language: null, referrer: null },
  location: {
    url: 'https://docs.test/',
    siteSection: null,
    siteSpace: null,
    siteShareKey: null,
    space: null,
    revision: null,
    page: 'a page',
    ...place,
  },
})

/** Operations that count events on published sites. */
export const insights = endpoints({
  trackEventsInSiteById: {
    route: `POST ${sitePath}/insights/events`,
    summary: 'Count what happened on a published site',
    description:
      'Counts by day, and keeps nothing of who caused the events. One site, and one address, has the limit of a visitor.',
    body: z
      .object({ events: z.array(SiteInsightsEvent).max(insightsLimits.events) })
      .meta({ id: 'SiteInsightsEvents', description: 'What happened on a site' }),
    limits: { bodyBytes: insightsLimits.bytes, rate: 'visitor', rateBy: 'siteId' },
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: { nothing: 'Events of visitors are counted, and are no change of the site' },
    access: anyone,
    examples: [{ siteSpace: '{siteSpaceId}' }, { space: '{spaceId}' }].map(place => ({
      body: { events: [aPageView(place)] },
    })),
  },
  ...insightsQueries,
})
