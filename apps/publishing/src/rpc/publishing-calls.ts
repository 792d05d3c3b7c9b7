import { maxVisitorGrant } from '@recto/actor/site-version'
import { publishingCalls } from '@recto/contracts'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import * as sites from '../sites/sites.repository.ts'

export const publishingCallFeature = feature<BaseContext>()(publishingCalls, {
  async listClosedSites({ body: { withinMs = maxVisitorGrant } }, { db }) {
    return { sites: await sites.closedSince(db, new Date(Date.now() - Math.min(withinMs, maxVisitorGrant))) }
  },

  async findSite({ body: { organization, site } }, { db }) {
    return { exists: (await sites.find(db, site))?.organizationId === organization }
  },
})
