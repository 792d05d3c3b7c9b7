import { query, type Db } from '@recto/database'
import type { BuiltQuery } from './build-query.ts'
import type { PageHit, SearchedSpaces } from './search.repository.ts'

/** Pages above a hit that are shown; the limit ends a cycle, which rows of two versions could form. */
const maxAncestors = 100

/** Fields of a hit's page besides its name and sections. */
export interface HitDetails {
  spaceId: string
  pageId: string
  description: string
  /** The titles of the pages above it that the caller may know of, from the root. */
  ancestors: string[]
  /** Whether its title, path and description have all words and phrases of the query. */
  isInName: boolean
}

/** Reads the details of hits, of all of them at once. */
export async function findHitDetails(
  db: Db,
  { searched, pages }: { searched: SearchedSpaces; pages: PageHit[] },
  { all, phrases }: BuiltQuery,
): Promise<HitDetails[]> {
  const { cte, values, visible = 'true' } = searched
  const $ = (at: number) => `$${values.length + at}`
  return query<HitDetails>(
    db,
    `with recursive ${cte},
    shown as (select * from unnest(${$(1)}::text[], ${$(2)}::text[]) as shown (space_id, page_id)),
    above as (
      select space_id, page_id, page.parent, null as title, 0 as height from shown join search_pages page using (space_id, page_id)
      union all
      select above.space_id, above.page_id, page.parent, case when ${visible} then page.title end, height + 1
      from above join search_pages page on page.space_id = above.space_id and page.page_id = above.parent
      where height < ${maxAncestors}),
    lineage as (
      select space_id, page_id, array_agg(title order by height desc) filter (where title is not null) as titles
      from above group by space_id, page_id)
    select space_id as "spaceId", page_id as "pageId", coalesce(page.description, '') as description,
      coalesce(lineage.titles, '{}') as ancestors,
      page.name_tokens @@ ${$(3)}::tsquery and not exists (
        select from unnest(${$(4)}::text[]) as phrase where not page.name_tokens @@ phrase::tsquery) as "isInName"
    from lineage join search_pages page using (space_id, page_id)`,
    [...values, pages.map(({ spaceId }) => spaceId), pages.map(({ id }) => id), all, phrases],
  )
}
