import type { SearchPage, SearchSpace } from '@recto/contracts-shared'
import type { Db, ListPage, ListRequest } from '@recto/database'
import type { z } from 'zod'
import { pageUrl } from '../pages/present-page.ts'
import type { BaseContext } from '../shared/context.ts'
import { groupBy } from '../lists/group-by.ts'
import { buildQuery, type BuiltQuery } from './build-query.ts'
import { excerpt, matcherOf, type Matches } from './excerpt.ts'
import { findHitDetails } from './hit-details.repository.ts'
import { resultTypeOf, scoreOf } from './hit.rules.ts'
import { parseQuery } from './parse-query.ts'
import * as repository from './search.repository.ts'
import type { PageHit, SectionHit, SearchedSpaces } from './search.repository.ts'
import { findWords } from './vocabulary.repository.ts'
import { groupMatches } from './vocabulary.rules.ts'

/** Words of a query that are looked up in the vocabulary. */
const maxWords = 60
const emptyResult = { items: [], count: 0 }

/** The query of a search, and the requested page of the result. */
export interface Search {
  /** Read in the snapshot in which they are searched; undefined when there are none. */
  spaces(db: Db): Promise<SearchedSpaces | undefined>
  text: string
  request: ListRequest
}

type Tools = Pick<BaseContext, 'db' | 'publicUrl'>

/** Pages that match, the best first. */
export async function searchPages(
  { db, publicUrl }: Tools,
  { spaces, text, request }: Search,
): Promise<ListPage<z.input<typeof SearchPage>>> {
  return repository.inSnapshot(db, async db => {
    const searchedSpaces = await spaces(db)
    const query = searchedSpaces && (await prepareQuery(db, searchedSpaces, text))
    if (!query) return emptyResult
    const page = await allOrAny(needsAll => repository.findPages(db, searchedSpaces, { query, needsAll, request }))
    const present = await pagePresenter(db, { query, searched: searchedSpaces, pages: page.items, publicUrl })
    return { ...page, items: page.items.map(present) }
  })
}

/** Spaces with pages that match, the best first: the words weigh the same in all of them, so their ranks can be compared. */
export async function searchSpaces(
  { db, publicUrl }: Tools,
  { spaces, text, request }: Search,
): Promise<ListPage<z.input<typeof SearchSpace>>> {
  return repository.inSnapshot(db, async db => {
    const searchedSpaces = await spaces(db)
    const query = searchedSpaces && (await prepareQuery(db, searchedSpaces, text))
    if (!query) return emptyResult
    const page = await allOrAny(needsAll => repository.findSpaces(db, searchedSpaces, { query, needsAll, request }))
    const pages = page.items.flatMap(space => space.pages)
    const present = await pagePresenter(db, { query, searched: searchedSpaces, pages, publicUrl })
    const items = page.items.map(({ id, title, rank, pages }) => ({
      type: 'space' as const,
      id,
      title,
      score: scoreOf(rank),
      pages: pages.map(present),
    }))
    return { ...page, items }
  })
}

/** The query with its words in the vocabulary of the spaces; undefined when it has no words. */
async function prepareQuery(db: Db, spaces: SearchedSpaces, text: string): Promise<BuiltQuery | undefined> {
  const parsedQuery = parseQuery(text)
  const words = [...new Set(parsedQuery.terms.flatMap(({ exact, parts }) => [...exact, ...parts]))].slice(0, maxWords)
  if (words.length === 0) return undefined
  const wordRows = await findWords(db, spaces, words)
  return buildQuery(parsedQuery, groupMatches(wordRows, await repository.countPages(db, spaces)))
}

/** Finds pages with all words of a query, or with any of them when no page has all. */
async function allOrAny<Found extends { count: number }>(find: (needsAll: boolean) => Promise<Found>): Promise<Found> {
  const page = await find(true)
  return page.count > 0 ? page : find(false)
}

interface PageHits {
  query: BuiltQuery
  searched: SearchedSpaces
  pages: PageHit[]
  publicUrl: string
}

/** Presents pages with their details and their matching sections, which one statement each reads for all of them. */
async function pagePresenter(
  db: Db,
  { query, searched, pages, publicUrl }: PageHits,
): Promise<(page: PageHit) => z.input<typeof SearchPage>> {
  const sections = groupBy(await repository.findSections(db, { searched, pages }, query), keyOf)
  const details = new Map((await findHitDetails(db, { searched, pages }, query)).map(row => [keyOf(row), row]))
  const matches = matcherOf(query.lexemes)
  return page => {
    const { id, title, path } = page
    const app = pageUrl({ ...page, path: page.type === 'document' || page.type === 'group' ? path : '' }, publicUrl)
    const key = keyOf({ spaceId: page.spaceId, pageId: id })
    const rows = sections.get(key) ?? []
    const { description = '', ancestors = [], isInName = false } = details.get(key) ?? {}
    return {
      id,
      title,
      description,
      path,
      score: scoreOf(page.rank),
      rank: page.placeOfAll,
      resultType: resultTypeOf({ isInName, sections: rows.length }),
      ancestors: ancestors.map(title => ({ title })),
      urls: { app },
      sections: rows.map(section => presentSection(section, page, { app, matches })),
    }
  }
}

const keyOf = ({ spaceId, pageId }: { spaceId: string; pageId: string }): string => `${spaceId}/${pageId}`

function presentSection(
  { position, anchor, title, body, rank }: SectionHit,
  page: PageHit,
  { app, matches }: { app: string; matches: Matches },
) {
  const hash = anchor === null ? '' : `#${anchor}`
  return {
    id: `${page.id}-${position}`,
    title: title === '' ? page.title : title,
    path: `${page.path}${hash}`,
    score: scoreOf(rank),
    resultType: 'section' as const,
    body: excerpt(body, matches),
    urls: { app: `${app}${encodeURI(hash)}` },
  }
}
