import type { SiteInsightsValues } from '@recto/contracts-publishing'
import type { CountQuery } from './count-query.rules.ts'

/** Rows of counts as columns of the API. */
export function presentCounts({ columns }: CountQuery, rows: unknown[][]): SiteInsightsValues[] {
  return columns.map(
    ({ column: { column } }, at) =>
      ({ column, values: rows.map(row => present[column](row[at] as never)) }) as SiteInsightsValues,
  )
}

const same = (value: string) => value
const present: Record<SiteInsightsValues['column'], (value: never) => unknown> = {
  datetime: (day: string) => `${day}T00:00:00.000Z`,
  eventType: same,
  eventsCount: (count: number | null) => count ?? 0,
  siteSpace: (id: string) => (id === '' ? null : id),
  page: presentPage,
  eventSearchQuery: same,
  eventPageFeedbackRating: same,
  eventPageFeedbackComment: same,
  eventLinkPosition: same,
}

/** The id of a space has no slash. */
function presentPage(both: string): { space: string; page: string | null } | null {
  const slash = both.indexOf('/')
  const space = both.slice(0, slash)
  const page = both.slice(slash + 1)
  return space === '' ? null : { space, page: page === '' ? null : page }
}
