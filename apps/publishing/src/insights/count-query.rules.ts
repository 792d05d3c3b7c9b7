import { insightsLimits, type SiteInsightsAggregation, type SiteInsightsColumn } from '@recto/contracts-publishing'
import { fieldFault } from '@recto/operation'

/** An aggregation as SQL expressions and values. */
export interface CountQuery {
  /** First and last day, ISO 8601 dates in UTC. */
  from: string
  to: string
  columns: { column: SiteInsightsColumn; expression: string; isCount: boolean }[]
  where: { expression: string; values: string[]; isExcluded: boolean }[]
  order: { at: number; direction: 'asc' | 'desc' }
  limit: number
}

type Filter = SiteInsightsAggregation['where'][number]

/** The detail of events of these types; empty for all others. */
const detailOf = (...types: string[]) =>
  `case when type in (${types.map(type => `'${type}'`).join(', ')}) then detail else '' end`

const expressions = {
  dayOfWeek: 'extract(isodow from day::timestamp)::int',
  eventType: 'type',
  eventsCount: 'sum(count)::float8',
  siteSpace: 'site_space_id',
  page: `space_id || '/' || page_id`,
  eventSearchQuery: detailOf('search_type_query', 'search_open_result'),
  eventPageFeedbackRating: detailOf('page_post_feedback'),
  eventPageFeedbackComment: detailOf('page_post_feedback_comment'),
  eventLinkPosition: detailOf('link_click'),
  eventLLMSVariant: detailOf('llms_request'),
  eventMarkdownSource: detailOf('page_markdown_request'),
} satisfies Record<Exclude<SiteInsightsColumn['column'], 'datetime'>, string>

const count = { column: 'eventsCount' } as const

/** Turns an aggregation into a count query; throws `invalid_request` that names the faulty field. */
export function countQueryOf(aggregation: SiteInsightsAggregation, now: Date): CountQuery {
  const columns = columnsOf(aggregation)
  return {
    ...daysOf(aggregation.range, now),
    columns: columns.map(column => ({ column, expression: expressionOf(column), isCount: isCount(column) })),
    where: aggregation.where.map(filter => ({
      expression: expressions[filter.column],
      values: columnTextsOf(filter),
      isExcluded: filter.operator === 'notIn',
    })),
    order: orderOf(aggregation.order, columns),
    limit: aggregation.limit,
  }
}

function columnsOf({ select, groupBy }: SiteInsightsAggregation): SiteInsightsColumn[] {
  const grouped = groupBy ?? (select ?? []).filter(column => !isCount(column))
  if (grouped.some(isCount)) throw fieldFault('body.groupBy', 'must not contain eventsCount')
  if (grouped.length > insightsLimits.groups)
    throw fieldFault('body.groupBy', `must have at most ${insightsLimits.groups} columns`)
  const columns = select ?? [...grouped, count]
  if (columns.length === 0) throw fieldFault('body.select', 'must have at least one column')
  columns.forEach((column, at) => {
    if (columns.findIndex(other => isSame(other, column)) !== at)
      throw fieldFault(`body.select.${at}`, 'must not be a column that comes before')
    if (!isCount(column) && !grouped.some(other => isSame(other, column)))
      throw fieldFault(`body.select.${at}`, 'must be a column of groupBy, or eventsCount')
  })
  const missing = grouped.findIndex(column => !columns.some(other => isSame(other, column)))
  if (missing >= 0) throw fieldFault(`body.groupBy.${missing}`, 'must be a column of select')
  return columns
}

function orderOf(order: SiteInsightsAggregation['order'], columns: SiteInsightsColumn[]): CountQuery['order'] {
  if (order === undefined) return { at: Math.max(0, columns.findIndex(isCount)), direction: 'desc' }
  const at = columns.findIndex(column => isSame(column, order.by))
  if (at < 0) throw fieldFault('body.order.by', 'must be a column of select')
  return { at, direction: order.direction }
}

const isCount = ({ column }: SiteInsightsColumn) => column === 'eventsCount'

const isSame = (one: SiteInsightsColumn, other: SiteInsightsColumn) =>
  one.column === other.column && intervalOf(one) === intervalOf(other)

const intervalOf = (column: SiteInsightsColumn) => (column.column === 'datetime' ? column.interval : undefined)

function expressionOf(column: SiteInsightsColumn): string {
  if (column.column !== 'datetime') return expressions[column.column]
  return `to_char(date_trunc('${column.interval}', day::timestamp), 'YYYY-MM-DD')`
}

/**
 * Writes the values of a filter as the texts that its column yields: a page as "space/page", no page as "/", any other missing value as "".
 */
function columnTextsOf(filter: Filter): string[] {
  return filter.values.map(value => {
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    if (filter.column !== 'page' || value === null) return filter.column === 'page' ? '/' : ''
    return `${value.space}/${value.page ?? ''}`
  })
}

const dayLength = 86_400_000
const daysOfRange = { lastYear: 365, last3Months: 90, last30Days: 30, last7Days: 7, last24Hours: 1 }

/** The days that a range touches. */
function daysOf(range: SiteInsightsAggregation['range'], now: Date): { from: string; to: string } {
  if (typeof range === 'string')
    return { from: dayOf(now.getTime() - daysOfRange[range] * dayLength), to: dayOf(now.getTime()) }
  const from = Date.parse(range.from)
  const to = Date.parse(range.to)
  if (from > to) throw fieldFault('body.range.to', 'must be after body.range.from')
  return { from: dayOf(from), to: dayOf(to) }
}

/** A day in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
