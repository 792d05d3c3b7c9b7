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
})

type SearchInput = Input<typeof siteSearch.searchSiteContent>
