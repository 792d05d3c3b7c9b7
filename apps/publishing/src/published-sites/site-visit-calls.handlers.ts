import { memberActor } from '@recto/actor'
import { siteVisitCalls } from '@recto/contracts-publishing-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { decideSiteRole } from '../site-access/site-access.policy.ts'
import type { VisitedSites } from './visited-sites.ts'

/** Tells identity who reads a site; `visitedSites` are the sites that visitors open. */
export const siteVisitCallFeature = (visitedSites: VisitedSites) =>
  feature<BaseContext>()(siteVisitCalls, {
    async checkVisit({ body: { organization, site: siteId, member } }, { db }) {
      const visited = await visitedSites.byId(db, siteId)
      if (visited?.site.organizationId !== organization) return { isVisible: false }
      const { user, role, teams } = member
      const actor = memberActor(user, { organization, role, teams })
      return { isVisible: decideSiteRole(actor, visited.site, visited.grants).role !== null }
    },
  })
