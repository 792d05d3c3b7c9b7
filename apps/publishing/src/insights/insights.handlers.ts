import { insights } from '@recto/contracts-publishing'
import { Failure, feature } from '@recto/operation'
import type { VisitedSites } from '../published-sites/visited-sites.ts'
import { countQueryOf } from './count-query.rules.ts'
import { countersOf } from './counters.rules.ts'
import type { Counting } from './counting.ts'
import * as counters from './insights-counters.repository.ts'
import { presentCounts } from './present-counts.ts'
import type { BaseContext } from '../shared/context.ts'
import { requireManagedSite } from '../sites/update-site.ts'

/** The operations on events of published sites. */
export function insightsFeature({ visitedSites, counting }: { visitedSites: VisitedSites; counting: Counting }) {
  return feature<BaseContext>()(insights, {
    async trackEventsInSiteById({ params: { organizationId, siteId }, body }, { db }) {
      const visited = await visitedSites.byId(db, siteId)
      // A site that is not published is as unknown to strangers as one that is not there.
      if (!visited?.site.published || visited.site.organizationId !== organizationId)
        throw new Failure('not_found', 'There is no such site')
      await counting.add(db, countersOf(body.events, { siteId, structure: visited.structure, now: new Date() }))
      return undefined
    },

    async aggregateSiteEvents({ params, body }, context) {
      const site = await requireManagedSite(context, params)
      const asked = countQueryOf(body, new Date())
      return { columns: presentCounts(asked, await counters.sumCounts(context.db, site.id, asked)) }
    },
  })
}
