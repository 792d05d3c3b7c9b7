import { z } from 'zod'
import { endpoints, Id, onResource, PointInTime, reads, text, Timestamp } from '@recto/contracts-shared'
import {
  insightsEventTypes,
  insightsLimits,
  insightsRanges,
  linkPositions,
  llmsVariants,
  markdownSources,
  pageRatings,
} from './insights-values.ts'

const EventType = z.enum(insightsEventTypes)
const DayOfWeek = z.number().int().min(1).max(7)
const LlmsVariant = z.enum(llmsVariants).nullable()
const MarkdownSource = z.enum(markdownSources).nullable()
const Place = z
  .object({ page: Id.nullable(), space: Id })
  .meta({ id: 'SiteInsightsPage', description: 'A page of a space, or what is on none' })

const Column = z
  .discriminatedUnion('column', [
    z.object({
      column: z.literal('datetime'),
      interval: z.enum(['day', 'week', 'month']).default('day').describe('Events are counted by day, in UTC'),
    }),
    z.object({
      column: z.enum([
        'dayOfWeek',
        'eventType',
        'eventsCount',
        'siteSpace',
        'page',
        'eventSearchQuery',
        'eventPageFeedbackRating',
        'eventPageFeedbackComment',
        'eventLinkPosition',
        'eventLLMSVariant',
        'eventMarkdownSource',
      ]),
    }),
  ])
  .meta({ id: 'SiteInsightsQueryEventsColumn', description: 'A column of counted events' })

const filter = <Value extends z.ZodType>(value: Value) => ({
  values: z.array(value).min(1).max(insightsLimits.filterValues),
  operator: z.enum(['in', 'notIn']).default('in'),
})
const Filter = z
  .discriminatedUnion('column', [
    z.object({ column: z.literal('dayOfWeek'), ...filter(DayOfWeek) }),
    z.object({ column: z.literal('eventType'), ...filter(EventType) }),
    z.object({ column: z.literal('siteSpace'), ...filter(Id.nullable()) }),
    z.object({ column: z.literal('page'), ...filter(Place.nullable()) }),
    z.object({ column: z.literal('eventSearchQuery'), ...filter(text({ max: insightsLimits.query })) }),
    z.object({ column: z.literal('eventPageFeedbackRating'), ...filter(z.enum(pageRatings)) }),
    z.object({ column: z.literal('eventPageFeedbackComment'), ...filter(text({ max: insightsLimits.comment })) }),
    z.object({ column: z.literal('eventLinkPosition'), ...filter(z.enum(linkPositions)) }),
    z.object({ column: z.literal('eventLLMSVariant'), ...filter(LlmsVariant) }),
    z.object({ column: z.literal('eventMarkdownSource'), ...filter(MarkdownSource) }),
  ])
  .meta({ id: 'SiteInsightsQueryEventsFilter', description: 'Which events are counted' })

const columns = z.array(Column).max(insightsLimits.groups + 1)
const Aggregation = z
  .object({
    select: columns.optional().describe('The grouped columns and `eventsCount` unless given'),
    where: z.array(Filter).max(insightsLimits.filters).default([]),
    groupBy: columns.optional().describe('The selected columns but `eventsCount` unless given'),
    order: z
      .object({ by: Column, direction: z.enum(['asc', 'desc']) })
      .optional()
      .describe('By `eventsCount`, the highest first, unless given'),
    range: z
      .union([
        z.enum(insightsRanges),
        z.object({ from: PointInTime, to: PointInTime }).meta({
          id: 'SiteInsightsQueryRangeCustom',
          description: 'All days from one point in time to another',
        }),
      ])
      .describe('Whole days, in UTC'),
    limit: z.number().int().min(1).max(insightsLimits.rows).default(insightsLimits.rows),
  })
  .meta({ id: 'SiteInsightsQueryEventsAggregation', description: 'Which events are counted, and by what' })

const Values = z
  .discriminatedUnion('column', [
    z.object({ column: z.literal('datetime'), values: z.array(Timestamp) }),
    z.object({
      column: z.literal('dayOfWeek'),
      values: z.array(DayOfWeek).describe('In UTC, from 1 (Monday) to 7 (Sunday)'),
    }),
    z.object({ column: z.literal('eventType'), values: z.array(EventType) }),
    z.object({ column: z.literal('eventLLMSVariant'), values: z.array(LlmsVariant) }),
    z.object({ column: z.literal('eventMarkdownSource'), values: z.array(MarkdownSource) }),
    z.object({ column: z.literal('eventsCount'), values: z.array(z.number()) }),
    z.object({ column: z.literal('siteSpace'), values: z.array(z.string().nullable()) }),
    z.object({ column: z.literal('page'), values: z.array(Place.nullable()) }),
    z.object({
      column: z.enum(['eventSearchQuery', 'eventPageFeedbackRating', 'eventPageFeedbackComment', 'eventLinkPosition']),
      values: z.array(z.string()).describe('Empty for events of other types'),
    }),
  ])
  .meta({ id: 'SiteInsightsQueryEventsValues', description: 'The values of a column, one for each row' })

/** A question for the numbers of events on a site. */
export type SiteInsightsAggregation = z.output<typeof Aggregation>

/** A column of counted events. */
export type SiteInsightsColumn = z.output<typeof Column>

/** A column of an answer. */
export type SiteInsightsValues = z.input<typeof Values>

/** Operations that query the events of a site, for those who manage it. */
export const insightsQueries = endpoints({
  aggregateSiteEvents: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/insights/events/aggregate',
    summary: 'Get the numbers of events on a site, by day, type, space, page, query and more',
    description:
      'Whole days in UTC, at most 1,000 rows, the highest number first. Groups by at most five columns; a column that is selected has to be grouped by (400). Days are kept for 90 days unless the installation says otherwise.',
    body: Aggregation,
    reply: z
      .object({ columns: z.array(Values) })
      .meta({ id: 'SiteInsightsQueryEventsAggregationResult', description: 'Numbers of events' }),
    isIdempotent: true,
    errors: ['not_found'],
    records: reads,
    scope: 'site:insights:read',
    access: onResource('create'),
    examples: [
      {
        body: {
          range: 'last7Days',
          groupBy: [{ column: 'eventType' }],
          where: [{ column: 'siteSpace', values: ['{siteSpaceId}'] }],
        },
        ignores: ['siteSpaceId'],
      },
      {
        body: { range: 'last7Days', where: [{ column: 'page', values: [{ space: '{spaceId}', page: null }] }] },
        ignores: ['spaceId'],
      },
      {
        body: { range: 'last7Days', where: [{ column: 'page', values: [{ space: '{spaceId}', page: '{pageId}' }] }] },
        ignores: ['spaceId', 'pageId'],
      },
    ],
  },
})
