import { query } from '@recto/database'
import { expect, it } from '@jest/globals'
import { aPublishingDatabase } from '../test/publishing-database.ts'
import type { Counter } from './counters.rules.ts'
import { addCounts } from './insights-counters.repository.ts'

/** Connections, and writes at once: none waits for a connection, however slow the machine is. */
const poolSize = 6

const counter = (page: number): Counter => ({
  siteId: 's',
  day: '2026-11-22',
  type: 'page_view',
  siteSpaceId: '',
  spaceId: '',
  pageId: `page ${page}`,
  detail: '',
  count: 1,
})

it('transactions that add to the same counters at once never wait for each other', async () => {
  const { database, stop } = await aPublishingDatabase(poolSize)
  const pages = Array.from({ length: 2_000 }, (_, page) => page)
  // Other pages in another order each time: 7, 11 and 2,000 have no common factor.
  const some = (write: number) =>
    pages.slice(write * 20).map((_page, at) => counter((write * 41 + at * (write % 2 === 0 ? 7 : 11)) % pages.length))
  const writes = Array.from({ length: 40 }, (_, write) => some(write))
  const waiting = writes.values()
  const writer = async () => {
    for (const counters of waiting) await addCounts(database.manager, counters, 1_000_000)
  }
  await Promise.all(Array.from({ length: poolSize }, writer))
  const sums = await query(database.manager, 'select sum(count)::int as views from insights_counters')
  expect(sums).toEqual([{ views: writes.flat().length }])
  await stop()
})
