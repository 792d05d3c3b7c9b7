import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** How often something happened on a site in a day; see `CounterKey`. */
export interface InsightsCounterRow {
  siteId: string
  /** ISO 8601 date in UTC. */
  day: string
  type: string
  siteSpaceId: string
  spaceId: string
  pageId: string
  detail: string
  /** Stays at the largest number that the column holds. */
  count: number
}

export const InsightsCounterEntity = new EntitySchema<InsightsCounterRow>({
  name: 'InsightsCounter',
  tableName: 'insights_counters',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    day: { type: 'text', primary: true },
    type: { type: 'text', primary: true },
    siteSpaceId: { type: 'text', name: 'site_space_id', primary: true },
    spaceId: { type: 'text', name: 'space_id', primary: true },
    pageId: { type: 'text', name: 'page_id', primary: true },
    detail: { type: 'text', primary: true },
    count: { type: 'int' },
  } satisfies EntityColumns<InsightsCounterRow>,
})
