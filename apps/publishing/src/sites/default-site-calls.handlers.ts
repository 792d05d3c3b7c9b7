import { requireRole } from '@recto/actor'
import { defaultSiteCalls } from '@recto/contracts-publishing-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { createSite } from './create-site.ts'
import { canManageSites } from './sites.policy.ts'
import { titleOfNewSpace } from './sites.rules.ts'

export const defaultSiteCallFeature = feature<BaseContext>()(defaultSiteCalls, {
  async createDefaultSite({ body: { actor, organization, title, sample, visibility, openapiUrl } }, context) {
    requireRole(actor, organization, canManageSites)
    const newSpace = { actor, organization, title: titleOfNewSpace(title), sample, openapiUrl }
    const { space } = await context.content.createSpaceOfSite({ body: newSpace })
    const { userId: createdBy } = actor
    const site = { organizationId: organization, type: 'basic' as const, visibility, title, createdBy }
    return { site: (await createSite(site, [space], context)).id }
  },
})
