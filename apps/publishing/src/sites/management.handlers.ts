import { siteManagement } from '@recto/contracts-publishing'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { readSite } from './update-site.ts'

export const managementFeature = feature<BaseContext>()(siteManagement, {
  async listSiteIntegrationScripts({ params }, context) {
    await readSite(context, params)
    return []
  },
})
