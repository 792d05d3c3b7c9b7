import { longestVisitorToken } from '@recto/actor/visitor-token'
import { publishingCalls } from '@recto/contracts'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import * as sites from '../sites/sites.repository.ts'

export const publishingCallFeature = feature<BaseContext>()(publishingCalls, {
  async listClosedSites(_input, { db }) {
    return { sites: await sites.closedSince(db, new Date(Date.now() - longestVisitorToken)) }
  },

  async findSite({ body: { organization, site } }, { db }) {
    return { exists: (await sites.find(db, site))?.organizationId === organization }
  },
})
