import { query, type Db } from '@recto/database'
import type { Counter } from './counters.rules.ts'
import type { CountQuery } from './count-query.rules.ts'

const largest = 2 ** 31 - 1

/**
 * Adds to counters, in the order of their keys, so that two transactions never wait for each other. Once a site has `most` counters
 * in a day, events that have none yet are counted without their page and detail: strangers can invent both without end.
 */
export async function addCounts(db: Db, counters: readonly Counter[], most: number): Promise<void> {
  const columns = ['siteId', 'day', 'type', 'siteSpaceId', 'spaceId', 'pageId', 'detail', 'count'] as const
  await query(
    db,
    `with given as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
         as given (site_id, day, type, site_space_id, space_id, page_id, detail, count)
     ), full_days as (
       select site_id, day from (select distinct site_id, day from given) one where $9 <= (
         select count(*) from (select from insights_counters old where old.site_id = one.site_id and old.day = one.day limit $9) counters)
     ), counted as (
       select given.*, full_days.day is null or coalesce((
         select true from insights_counters known where known.site_id = given.site_id and known.day = given.day and known.type = given.type
           and known.site_space_id = given.site_space_id and known.space_id = given.space_id
           and known.page_id = given.page_id and known.detail = given.detail limit 1), false) as fits
       from given left join full_days using (site_id, day)
     )
     insert into insights_counters as kept (site_id, day, type, site_space_id, space_id, page_id, detail, count)
     select site_id, day, type, site_space_id, space_id, part.page_id, part.detail, least(sum(counted.count), ${largest}) from counted,
       lateral (select case when fits then page_id else '' end as page_id, case when fits then detail else '' end as detail) part
       group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
     on conflict (site_id, day, type, site_space_id, space_id, page_id, detail) do update set count = least(kept.count::bigint + excluded.count, ${largest})`,
    [...columns.map(column => counters.map(counter => counter[column])), most],
  )
}

/** The values of the columns of a question about a site, row by row. */
export async function sumCounts(db: Db, siteId: string, countQuery: CountQuery): Promise<unknown[][]> {
  const values: unknown[] = [siteId, countQuery.from, countQuery.to]
  const filters = countQuery.where.map(
    ({ expression, values: filterValues, isExcluded }) =>
      `and ${isExcluded ? 'not ' : ''}(${expression})::text = any($${values.push(filterValues)}::text[])`,
  )
  const grouped = countQuery.columns.flatMap(({ isCount }, at) => (isCount ? [] : [String(at + 1)]))
  const rows = await query<Record<string, unknown>>(
    db,
    `select ${countQuery.columns.map(({ expression }, at) => `${expression} as c${at}`).join(', ')} from insights_counters
     where site_id = $1 and day between $2 and $3 ${filters.join(' ')}
     ${grouped.length > 0 ? `group by ${grouped.join(', ')}` : ''}
     order by ${[`${countQuery.order.at + 1} ${countQuery.order.direction}`, ...grouped].join(', ')} limit $${values.push(countQuery.limit)}`,
    values,
  )
  return rows.map(row => countQuery.columns.map((_column, at) => row[`c${at}`]))
}

/** Deletes at most `most` counters of the days before one; returns how many. Replicas that do so at once delete others. */
export async function deleteBefore(db: Db, day: string, most: number): Promise<number> {
  const deleted = await query(
    db,
    `delete from insights_counters where ctid = any(array(
       select ctid from insights_counters where day < $1 limit $2 for update skip locked)) returning 1`,
    [day, most],
  )
  return deleted.length
}

/** Deletes at most `most` counters of a site; returns how many. */
export async function deleteOfSite(db: Db, siteId: string, most: number): Promise<number> {
  const deleted = await query(
    db,
    `delete from insights_counters where ctid = any(array(
       select ctid from insights_counters where site_id = $1 limit $2 for update skip locked)) returning 1`,
    [siteId, most],
  )
  return deleted.length
}

/** The ids of up to 1,000 sites with counters that come after one, in order. */
export async function sitesAfter(db: Db, siteId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `with recursive site (id) as (
       select min(site_id) from insights_counters where site_id > $1
       union all select (select min(site_id) from insights_counters where site_id > site.id) from site where site.id is not null
     ) select id from site where id is not null limit 1000`,
    [siteId],
  )
  return rows.map(({ id }) => id)
}
