import { maxVisitorGrant } from '@recto/actor/site-version'
import { publishingCalls } from '@recto/contracts-publishing-bus'
import { feature } from '@recto/operation'
import * as shareLinks from '../share-links/share-links.repository.ts'
import type { VisitedSites } from '../published-sites/visited-sites.ts'
import type { BaseContext } from '../shared/context.ts'
import { countSites } from './count-sites.rules.ts'
import * as siteCounts from './site-counts.repository.ts'
import * as grants from '../site-access/site-grants.repository.ts'
import * as sites from './sites.repository.ts'

/** Answers other services; `visitedSites` are the sites that visitors open. */
export const publishingCallFeature = (visitedSites: VisitedSites) =>
  feature<BaseContext>()(publishingCalls, {
    async listClosedSites({ body: { withinMs = maxVisitorGrant } }, { db }) {
      return { sites: await sites.closedSince(db, new Date(Date.now() - Math.min(withinMs, maxVisitorGrant))) }
    },

    async findSite({ body: { organization, site } }, { db }) {
      return { exists: (await sites.find(db, site))?.organizationId === organization }
    },

    async countSites({ body: { organization, viewer, members } }, { db }) {
      const seenSites = await siteCounts.listSeen(db, { organization, ...viewer })
      const users = members.map(({ user }) => user)
      const teams = [...new Set(members.flatMap(member => member.teams))]
      const siteIds = seenSites.map(({ id }) => id)
      return {
        members: countSites(members, { sites: seenSites, grants: await grants.heldBy(db, siteIds, { users, teams }) }),
      }
    },

    async findShareLink({ body: { organization, space, key, site: siteId } }, { db }) {
      const id = siteId ?? (await shareLinks.siteOfKey(db, key))
      const visited = id === undefined ? undefined : await visitedSites.byId(db, id)
      if (visited?.site.organizationId !== organization || !visited.shareKeys.has(key)) return {}
      return visited.structure.siteSpaces.some(({ spaceId }) => spaceId === space) ? { site: visited.site.id } : {}
    },
  })
