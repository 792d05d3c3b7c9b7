import type { SiteInsightsValues } from '@recto/contracts-publishing'
import type { CountQuery } from './count-query.rules.ts'

/** Rows of counts as columns of the API. */
export function presentCounts({ columns }: CountQuery, rows: unknown[][]): SiteInsightsValues[] {
  return columns.map(
    ({ column: { column } }, at) =>
      ({ column, values: rows.map(row => present[column](row[at] as never)) }) as SiteInsightsValues,
  )
}

const same = (value: unknown) => value
const nullIfEmpty = (text: string) => (text === '' ? null : text)
const present: Record<SiteInsightsValues['column'], (value: never) => unknown> = {
  dayOfWeek: same,
  datetime: (day: string) => `${day}T00:00:00.000Z`,
  eventType: same,
  eventsCount: (count: number | null) => count ?? 0,
  siteSpace: nullIfEmpty,
  page: presentPage,
  eventSearchQuery: same,
  eventPageFeedbackRating: same,
  eventPageFeedbackComment: same,
  eventLinkPosition: same,
  eventLLMSVariant: nullIfEmpty,
  eventMarkdownSource: nullIfEmpty,
}

/** The id of a space has no slash. */
function presentPage(both: string): { space: string; page: string | null } | null {
  const slash = both.indexOf('/')
  const space = both.slice(0, slash)
  const page = both.slice(slash + 1)
  return space === '' ? null : { space, page: page === '' ? null : page }
}
