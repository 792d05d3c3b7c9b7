import { search, type SearchPage } from '@recto/contracts'
import type { Db } from '@recto/database'
import { feature } from '@recto/operation'
import type { z } from 'zod'
import { viewerIn } from '../../access/access.policy.ts'
import { callerValues } from '../../access/roles.sql.ts'
import { readableSpacesCte } from '../../hierarchy/spaces/readable-spaces.sql.ts'
import { readableSpace } from '../../hierarchy/spaces/readable-space.ts'
import { pageUrl } from '../../pages/present-page.ts'
import type { BaseContext } from '../../shared/context.ts'
import { groupBy } from '../../shared/group-by.ts'
import { buildQuery, type BuiltQuery } from './build-query.ts'
import { excerpt, matcherOf, type Matches } from './excerpt.ts'
import { spaceMark } from './index-page.ts'
import { parseQuery } from './parse-query.ts'
import * as repository from './search.repository.ts'
import type { FoundPage, FoundSection, SearchedSpaces } from './search.repository.ts'
import { findWords } from './vocabulary.repository.ts'
import { knownWords } from './vocabulary.rules.ts'

/** Words of a query that are looked up in the vocabulary. */
const maxWords = 60
const nothing = { items: [], count: 0 }

export const searchFeature = feature<BaseContext>()(search, {
  async searchSpaceContent({ params, query }, context) {
    const { space, role } = await readableSpace(context, params.spaceId)
    const spaces = {
      cte: `searched as (select $1::text as id, $2::text as title, $3::text as role)`,
      values: [space.id, space.title, role],
      mark: spaceMark(space.id),
    }
    const request = { ...query, cursorKey: context.cursorKey() }
    return repository.withTimeLimit(context.db, async db => {
      const built = await prepareQuery(db, spaces, query.query)
      if (!built) return nothing
      const page = await allOrAny(needsAll => repository.findPages(db, spaces, { query: built, needsAll, request }))
      const present = await pagePresenter(db, { query: built, pages: page.items, publicUrl: context.publicUrl })
      return { ...page, items: page.items.map(present) }
    })
  },

  async searchOrganizationContent({ params, query }, context) {
    const viewer = viewerIn(context.actor, params.organizationId)
    const cte = `${readableSpacesCte()}, searched as (select id, title, role from readable_space)`
    const spaces = { cte, values: callerValues(viewer) }
    const request = { ...query, cursorKey: context.cursorKey() }
    return repository.withTimeLimit(context.db, async db => {
      const built = await prepareQuery(db, spaces, query.query)
      if (!built) return nothing
      const page = await allOrAny(needsAll => repository.findSpaces(db, spaces, { query: built, needsAll, request }))
      const pages = page.items.flatMap(space => space.pages)
      const present = await pagePresenter(db, { query: built, pages, publicUrl: context.publicUrl })
      return { ...page, items: page.items.map(({ id, title, pages }) => ({ id, title, pages: pages.map(present) })) }
    })
  },
})

/** The query with what the vocabulary of the spaces knows of its words; undefined when it has no words. */
async function prepareQuery(db: Db, spaces: SearchedSpaces, text: string): Promise<BuiltQuery | undefined> {
  const parsed = parseQuery(text)
  const words = [...new Set(parsed.terms.flatMap(({ exact, parts }) => [...exact, ...parts]))].slice(0, maxWords)
  if (words.length === 0) return undefined
  const found = await findWords(db, spaces, words)
  return buildQuery(parsed, knownWords(found, await repository.countPages(db, spaces)))
}

/** What has all words of a query, or any of them when nothing has all. */
async function allOrAny<Found extends { count: number }>(find: (needsAll: boolean) => Promise<Found>): Promise<Found> {
  const found = await find(true)
  return found.count > 0 ? found : find(false)
}

interface FoundPages {
  query: BuiltQuery
  pages: FoundPage[]
  publicUrl: string
}

/** Presents pages with their matching sections, which are read by one statement. */
async function pagePresenter(
  db: Db,
  { query, pages, publicUrl }: FoundPages,
): Promise<(page: FoundPage) => z.input<typeof SearchPage>> {
  const sections = groupBy(await repository.findSections(db, pages, query), keyOf)
  const matches = matcherOf(query.lexemes)
  return page => {
    const { id, title, path } = page
    const app = pageUrl({ ...page, path: page.type === 'document' || page.type === 'group' ? path : '' }, publicUrl)
    const found = sections.get(keyOf({ spaceId: page.spaceId, pageId: id })) ?? []
    return {
      id,
      title,
      path,
      urls: { app },
      sections: found.map(section => presentSection(section, page, { app, matches })),
    }
  }
}

const keyOf = ({ spaceId, pageId }: { spaceId: string; pageId: string }): string => `${spaceId}/${pageId}`

function presentSection(
  { position, anchor, title, body }: FoundSection,
  page: FoundPage,
  { app, matches }: { app: string; matches: Matches },
) {
  const hash = anchor === null ? '' : `#${anchor}`
  return {
    id: `${page.id}-${position}`,
    title: title === '' ? page.title : title,
    path: `${page.path}${hash}`,
    body: excerpt(body, matches),
    urls: { app: `${app}${encodeURI(hash)}` },
  }
}
