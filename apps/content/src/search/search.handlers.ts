import { search } from '@recto/contracts-content'
import { feature } from '@recto/operation'
import { viewerIn } from '../access/access.policy.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { BaseContext } from '../shared/context.ts'
import { spaceLexeme } from './index-page.ts'
import { searchPages } from './run-search.ts'
import { searchReadableSpaces } from './search-readable-spaces.ts'

export const searchFeature = feature<BaseContext>()(search, {
  async searchSpaceContent({ params, query }, context) {
    const { space, role } = await readableSpace(context, params.spaceId)
    const spaces = {
      cte: `searched as (select $1::text as id, $2::text as title, $3::text as role)`,
      values: [space.id, space.title, role],
      mark: `'${spaceLexeme(space.id)}'`,
    }
    return searchPages(context, {
      spaces: async () => spaces,
      text: query.query,
      request: { ...query, cursorKey: context.cursorKey() },
    })
  },

  async searchOrganizationContent({ params, query }, context) {
    const viewer = viewerIn(context.actor, params.organizationId)
    return searchReadableSpaces(context, viewer, { text: query.query, ...query, cursorKey: context.cursorKey() })
  },
})
