import { listPage, query, type Db, type ListPage, type ListRequest } from '@recto/database'
import type { BuiltQuery } from './build-query.ts'
import type { SearchSectionRow } from './search-section.entity.ts'

/** Milliseconds that a search may take. */
const timeLimit = 3_000
/** Pages that are shown of each space in a search of several. */
const pagesPerSpace = 10
/** Sections that are shown of each page. */
const sectionsPerPage = 5
/** Pages that are ranked; those after them by their rough rank are listed in its order. */
const candidates = 200
/** Roles that find pages which are not to be indexed. */
const authors = `('edit', 'review', 'create', 'admin')`
/** Weights of a word in text, paths and descriptions, headings and titles. */
const weights = `'{0.1, 0.3, 0.4, 1}'`

/** The spaces that are searched: an expression of `with recursive` that defines `searched (id, title, role)`, and its values. */
export interface SearchedSpaces {
  cte: string
  values: unknown[]
  /** Condition, in the notation of `tsquery`, that only the pages of the searched spaces meet. */
  mark?: string
  /** Condition on `page` that the pages which may be found meet. */
  condition?: string
  /** Condition on `page` that the pages which the caller may know of meet. */
  visible?: string
  /** How many of the best pages of all spaces are shown; of each space at least the best. */
  bestPages?: number
  /** Whether conditions decide which sections are searched; `cte` then defines `unmet (space_id, page_id, condition)` too, with those that do not hold, on all pages where `page_id` is empty. */
  isForVisitor?: boolean | undefined
}

/** A page that matches. */
export interface PageHit {
  spaceId: string
  id: string
  type: string
  title: string
  path: string
  rank: number
  /** The place among all hits, from 1. */
  placeOfAll: number
}

/** A space with the best of its pages that match. */
export interface SpaceHit {
  id: string
  title: string
  rank: number
  pages: PageHit[]
}

/** A section that matches. */
export type SectionHit = Omit<SearchSectionRow, 'conditions'> & { rank: number }

/**
 * Runs searches in one snapshot with a time limit of their own; throws `timeout` when one exceeds it. The planner does not know what
 * reading a vector costs, and would read those of all pages where the index has those that match.
 */
export async function inSnapshot<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction('REPEATABLE READ', async tx => {
    await query(
      tx,
      `select set_config('statement_timeout', '${timeLimit}', true), set_config('enable_seqscan', 'off', true)`,
    )
    return work(tx as Db)
  })
}

/** How many pages are searched. */
export async function countPages(db: Db, { cte, values }: SearchedSpaces): Promise<number> {
  const [row] = await query<{ pages: number }>(
    db,
    `with recursive ${cte} select count(*) as pages from search_pages where space_id in (select id from searched)`,
    values,
  )
  return row?.pages ?? 0
}

/** A query, and whether pages need all of its words. */
export interface MatchQuery {
  query: BuiltQuery
  needsAll: boolean
}

/** Pages that match, the best first. */
export async function findPages(
  db: Db,
  spaces: SearchedSpaces,
  { request, ...match }: MatchQuery & { request: ListRequest },
): Promise<ListPage<PageHit & Ranks>> {
  const { ranked, counted, values } = matchingPagesSql(spaces, match)
  // The first page of a list has candidates only.
  const isFirst = request.page === undefined && request.limit < candidates
  const source = {
    sql: `with recursive ${ranked}
      select *, (row_number() over (${order}))::int as "placeOfAll", (select count(*) from hit) as "listCount" from ranked ${isFirst ? 'where "isCandidate"' : ''}`,
    counted,
    values,
    ...bestFirst,
  }
  return listPage<PageHit & Ranks>(db, source, request)
}

/** Spaces with pages that match, the best first, each with its best pages. */
export async function findSpaces(
  db: Db,
  spaces: SearchedSpaces,
  { request, ...match }: MatchQuery & { request: ListRequest },
): Promise<ListPage<SpaceHit & Ranks>> {
  const { ranked, counted, values } = matchingPagesSql(spaces, match)
  const numbered = `numbered as (
    select *, row_number() over (partition by "spaceId" ${order}) as place, row_number() over (${order}) as "placeOfAll" from ranked)`
  const { bestPages } = spaces
  const isShown = `place <= ${pagesPerSpace}${bestPages === undefined ? '' : ` and (place = 1 or "placeOfAll" <= ${bestPages})`}`
  const source = {
    sql: `with recursive ${ranked}, ${numbered}
      select "spaceId" as id, max(searched.title) as title, max(rank) as rank, max("roughRank") as "roughRank",
        (select count(distinct "spaceId") from hit) as "listCount",
        jsonb_agg(jsonb_build_object('spaceId', "spaceId", 'id', numbered.id, 'type', type, 'title', numbered.title,
          'path', path, 'rank', rank, 'placeOfAll', "placeOfAll") order by place)
          filter (where ${isShown}) as pages
      from numbered join searched on searched.id = numbered."spaceId" group by "spaceId"`,
    counted: `select distinct space_id from (${counted}) as hit`,
    values,
    ...bestFirst,
  }
  return listPage<SpaceHit & Ranks>(db, source, request)
}

/** The order of a list: the rank, which is `unranked` beyond the first `candidates` pages, then the rough rank, which costs less. */
interface Ranks {
  rank: number
  roughRank: number
}

const bestFirst = {
  order: [
    { column: 'rank', type: 'float8' },
    { column: 'roughRank', type: 'float8' },
    { column: 'id', type: 'text' },
  ],
  direction: 'desc' as const,
  countsItself: true,
}

/** The order of hits in SQL, as a list has it. */
const order = `order by rank desc, "roughRank" desc, id desc, "spaceId" desc`

/** The rank of pages that are no candidates; that of candidates is above 0. */
const unranked = -1

const isUnmet = `exists (select from unmet where unmet.space_id = section.space_id
  and unmet.page_id in ('', section.page_id) and unmet.condition = any(section.conditions))`
const visibleSections = `search_sections section
  where section.space_id = page.space_id and section.page_id = page.page_id and not ${isUnmet}`

/** The rank by the words of a page, for visitors by those that they see. */
function rankOf(words: string, { isForVisitor }: Pick<SearchedSpaces, 'isForVisitor'>): string {
  const ofPage = `ts_rank(${weights}, page.tokens, ${words})`
  if (!isForVisitor) return ofPage
  const ofSections = `(select sum(ts_rank(${weights}, section.tokens, ${words})) from ${visibleSections} and section.tokens @@ ${words})`
  return `case when page.is_conditional then ts_rank(${weights}, page.name_tokens, ${words}) + coalesce(${ofSections}, 0) else ${ofPage} end`
}

/** Condition that a visitor sees the words of a page that match: of one with conditions in its text, its name and the sections whose conditions hold. */
function seesWords(words: string, needsAll: boolean): string {
  const isSeen = `(page.name_tokens @@ word::tsquery or exists (select from ${visibleSections} and section.tokens @@ word::tsquery))`
  const some = `from unnest(${words}::text[]) as word where`
  return `(not page.is_conditional or ${needsAll ? `not exists (select ${some} not ${isSeen})` : `exists (select ${some} ${isSeen})`})`
}

/**
 * The rank of a page, by the kind and the place of each matching word, and by their share of its title. A word that a page has only as
 * the beginning of another counts less than the word itself, and a related word counts least.
 */
const rank = (of: Pick<SearchedSpaces, 'isForVisitor'>) => `(
  select sum(term.weight * (3 * coalesce(${rankOf('term.exact', of)}, 0)
    + 1.5 * coalesce(${rankOf('term.near', of)}, 0) + 0.7 * coalesce(${rankOf('term.far', of)}, 0)
    + case when page.name_tokens @@ term.in_title then 2.0 / greatest(page.title_words, 1) else 0 end))::float8 from term)`

/**
 * All pages that match as `ranked`. A vector is read from the disk and decompressed for each function that takes it, which is most of
 * what a search of a frequent word costs: the rough rank takes it once for each page, and only the best pages by it are ranked.
 */
function rankedPages(of: { roughRank: string; matches: string; isForVisitor?: boolean | undefined }): string {
  const { roughRank, matches } = of
  return `hit as materialized (
    select page.space_id as "spaceId", page.page_id as id, page.type, page.title, page.path, (${roughRank})::float8 as "roughRank" ${matches}),
  cutoff as materialized (select "roughRank", id from hit order by "roughRank" desc, id desc offset ${candidates} limit 1),
  placed as (select hit.*, ("roughRank", id) > (select "roughRank", id from cutoff) is not false as "isCandidate" from hit),
  ranked as (
    select hit.*, case when "isCandidate"
      then (select ${rank(of)} from search_pages page where page.space_id = hit."spaceId" and page.page_id = hit.id)
      else ${unranked} end as rank from placed as hit)`
}

/**
 * Builds the SQL of the pages that match: `ranked` is a list of CTEs that ends in ranked pages, `counted` a query that counts them. Both
 * statements take the same values.
 */
function matchingPagesSql(
  { cte, values, mark, isForVisitor, ...limits }: SearchedSpaces,
  { query: built, needsAll }: MatchQuery,
) {
  const $ = (at: number) => `$${values.length + at}`
  const { terms } = built
  const words = needsAll ? built.all : built.any
  const term = `term as materialized (
    select exact::tsquery, near::tsquery, far::tsquery, in_title::tsquery, weight
    from unnest(${$(1)}::text[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::text[], ${$(5)}::float8[]) as term (exact, near, far, in_title, weight))`
  const phrases = `not exists (
    select from unnest(${$(7)}::text[]) as phrase where not page.name_tokens @@ phrase::tsquery and not exists (
      select from search_sections section
      where section.space_id = page.space_id and section.page_id = page.page_id and section.tokens @@ phrase::tsquery
        ${isForVisitor ? `and not ${isUnmet}` : ''}))`
  // The planner keeps the check of each page also when there are no phrases.
  const matches = `from search_pages page join searched on searched.id = page.space_id
    where page.tokens @@ ${$(6)}::tsquery and (not page.no_index or searched.role in ${authors})
    ${built.phrases.length > 0 ? `and ${phrases}` : ''} ${limits.condition === undefined ? '' : `and ${limits.condition}`}
    ${isForVisitor ? `and ${seesWords($(10), needsAll)}` : ''}`
  const pageRank = `${rankOf(`${$(8)}::tsquery`, { isForVisitor })} + case when page.name_tokens @@ ${$(9)}::tsquery then 1 else 0 end`
  // Pages with the rare words come first when pages may lack words.
  const rare = `+ coalesce((select sum(term.weight) from term where page.tokens @@ term.exact), 0)`
  // Names all values, since Postgres must know the types of those that a statement does not use.
  const parameters = `given as (select ${$(7)}::text[] as phrases, ${$(8)}::tsquery as wanted, ${$(9)}::tsquery as in_title, ${$(10)}::text[] as required)`
  return {
    ranked: `${cte}, ${parameters}, ${term}, ${rankedPages({ roughRank: needsAll ? pageRank : `${pageRank} ${rare}`, matches, isForVisitor })}`,
    counted: `with recursive ${cte}, ${parameters}, ${term} select page.space_id ${matches}`,
    values: [
      ...values,
      terms.map(({ exact }) => exact),
      terms.map(({ near }) => near),
      terms.map(({ far }) => far),
      terms.map(({ inTitle }) => inTitle),
      terms.map(({ weight }) => weight),
      mark === undefined ? words : `${mark} & ${words}`,
      built.phrases,
      built.any,
      built.inTitle,
      built.required,
    ],
  }
}

/** The sections of pages that match any word best, in the order of the pages' texts; for visitors those that they see. */
export async function findSections(
  db: Db,
  { searched, pages }: { searched: SearchedSpaces; pages: PageHit[] },
  { any, phrases }: BuiltQuery,
): Promise<SectionHit[]> {
  const { cte, values, isForVisitor } = searched
  const $ = (at: number) => `$${values.length + at}`
  const textQuery = phrases.length > 0 ? phrases.join(' | ') : any
  return query<SectionHit>(
    db,
    `with recursive ${cte} select "spaceId", "pageId", position, anchor, title, body, rank from (
      select section.space_id as "spaceId", section.page_id as "pageId", section.position, anchor, title, body,
        ts_rank(${weights}, section.tokens, ${$(3)}::tsquery)::float8 as rank, row_number() over (partition by section.space_id, section.page_id
          order by ts_rank(${weights}, section.tokens, ${$(3)}::tsquery) desc, section.position) as place
      from unnest(${$(1)}::text[], ${$(2)}::text[]) as page (space_id, page_id)
      join search_sections section on section.space_id = page.space_id and section.page_id = page.page_id
      where section.tokens @@ ${$(3)}::tsquery ${isForVisitor ? `and not ${isUnmet}` : ''}
    ) as found where place <= ${sectionsPerPage} order by "spaceId", "pageId", position`,
    [...values, pages.map(({ spaceId }) => spaceId), pages.map(({ id }) => id), textQuery],
  )
}
