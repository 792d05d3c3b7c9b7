import { siteSearch } from '@recto/contracts'
import { feature } from '@recto/operation'
import { readPublished, readSeenStructure } from '../../audience/read-published.ts'
import type { BaseContext } from '../../shared/context.ts'
import { searchedSpaces } from './search-scope.rules.ts'

export const siteSearchFeature = feature<BaseContext>()(siteSearch, {
  async searchSiteContent({ params, query: page, body: { query, ...scope } }, context) {
    const site = await readPublished(context, params)
    const { actor, content } = context
    const spaces = searchedSpaces(await readSeenStructure(context, site), scope)
    const list = JSON.stringify([site.id, scope, query])
    return content.searchSpaces({
      body: { actor, organization: site.organizationId, spaces, query, list },
      query: page,
    })
  },
})
