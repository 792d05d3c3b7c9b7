import { siteSearch } from '@recto/contracts-publishing'
import { feature, fromView, type Input } from '@recto/operation'
import { openPublished } from '../published-sites/read-published.ts'
import type { BaseContext } from '../shared/context.ts'
import { searchedSpaces } from './search-scope.rules.ts'

export const siteSearchFeature = feature<BaseContext>()(siteSearch, {
  searchSiteContent: fromView(openPublished, ({ site, structure }, { query: page, body }: SearchInput, context) => {
    const { query, ...scope } = body
    const { actor, content } = context
    const spaces = searchedSpaces(structure, scope)
    const list = JSON.stringify([site.id, scope, query])
    return content.searchSpaces({
      body: { actor, organization: site.organizationId, spaces, query, list },
      query: page,
    })
  }),

  prewarmSiteSearch: fromView(openPublished, async ({ site, structure }, _input, context) => {
    const { actor, content } = context
    const spaces = searchedSpaces(structure, { mode: 'all' })
    const body = { actor, organization: site.organizationId, spaces, query: prewarmingQuery, list: '' }
    await content.searchSpaces({ body, query: { limit: 1 } })
    return undefined
  }),
})

/** A word that is rare in texts: the query reads the index and finds next to nothing. */
const prewarmingQuery = 'prewarm'

type SearchInput = Input<typeof siteSearch.searchSiteContent>
