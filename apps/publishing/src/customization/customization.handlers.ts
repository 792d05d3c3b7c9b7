import { customizations } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { rolesOn } from '../site-access/site-grants.repository.ts'
import { canManageSites } from '../sites/sites.policy.ts'
import type { SiteView } from '../sites/sites.repository.ts'
import { updateSite, readSite, requireManagedSite, type SiteParams } from '../sites/update-site.ts'
import { withCurrentFonts, withOwnFonts } from './custom-fonts.ts'
import { requireTargets, requireUnpublished } from './check-targets.ts'
import {
  changeCustomization,
  changeOverrides,
  effectiveCustomization,
  withoutInstructions,
} from './customization.rules.ts'
import * as repository from './customizations.repository.ts'
import { newTargets, newUnpublishedTargets, targetsIn } from './references.rules.ts'
import { shownStructure } from '../structure/shown-structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'
import { defaultSection, defaultSiteSpace, requireSiteSpace } from '../structure/structure.rules.ts'

export const customizationFeature = feature<BaseContext>()(customizations, {
  async getSiteCustomizationById({ params }, context) {
    const site = await readSite(context, params)
    return present(context, site)
  },

  async updateSiteCustomizationById({ params, body }, context) {
    await requireLinks(context, params, { body })
    const sent = await withOwnFonts(context, params.organizationId, body)
    const site = await updateSite(context, params, async (tx, { site, place }) => {
      const { settings } = await repository.load(tx, site.id)
      const before = effectiveCustomization(settings)
      const after = changeCustomization(before, sent)
      await repository.save(tx, site.id, after)
      const fields = changedFields(before, after)
      if (fields.length > 0) tx.record(recorded('site.customization.updated', { ...place, details: { fields } }))
      return site
    })
    return present(context, site)
  },

  async getSiteSpaceCustomizationById({ params: { siteSpaceId, ...params } }, context) {
    const site = await readSite(context, params)
    requireSiteSpace(await structures.load(context.db, site.id), siteSpaceId)
    return present(context, site, siteSpaceId)
  },

  async overrideSiteSpaceCustomizationById({ params: { siteSpaceId, ...params }, body }, context) {
    await requireLinks(context, params, { body, siteSpaceId })
    const site = await updateSite(context, params, async (tx, { site, place, structure }) => {
      requireSiteSpace(structure, siteSpaceId)
      const { overrides: all } = await repository.load(tx, site.id)
      const before = all.get(siteSpaceId) ?? {}
      const overrides = changeOverrides(before, body)
      await repository.saveOverrides(tx, { siteId: site.id, siteSpaceId }, overrides)
      const fields = changedFields(before, overrides)
      if (fields.length > 0)
        tx.record(recorded('site.customization.updated', { ...place, siteSpace: siteSpaceId, details: { fields } }))
      return site
    })
    return present(context, site, siteSpaceId)
  },

  async deleteSiteSpaceCustomizationById({ params: { siteSpaceId, ...params } }, context) {
    await updateSite(context, params, async (tx, { site, place }) => {
      const isRemoved = await repository.removeOverrides(tx, { siteId: site.id, siteSpaceId })
      if (isRemoved) tx.record(recorded('site.customization.updated', { ...place, siteSpace: siteSpaceId }))
    })
    return undefined
  },
})

/** How a site or a space on it looks to the caller, and when that was changed last. */
async function present(context: Context, site: SiteView, siteSpaceId = '') {
  const { id, organizationId } = site
  const set = await withCurrentFonts(context, organizationId, await repository.load(context.db, id))
  const look = effectiveCustomization(set.settings, set.overrides.get(siteSpaceId))
  const isManager = canManageSites((await rolesOn(context, [site])).get(id) ?? null)
  const updatedAt = set.updatedAt(siteSpaceId)
  return { ...(isManager ? look : withoutInstructions(look)), ...(updatedAt && { updatedAt: updatedAt.toISOString() }) }
}

/** Checks the role, then the links that the settings did not have before. */
async function requireLinks(
  context: Context,
  params: SiteParams,
  { body, siteSpaceId }: { body: object; siteSpaceId?: string },
): Promise<void> {
  const site = await requireManagedSite(context, params)
  const structure = await structures.load(context.db, site.id)
  const visible = shownStructure(structure)
  const root = defaultSiteSpace(visible, defaultSection(visible)?.id ?? null)
  const here = (siteSpaceId === undefined ? root : requireSiteSpace(structure, siteSpaceId))?.spaceId
  const { settings, overrides } = await repository.load(context.db, site.id)
  const before = siteSpaceId === undefined ? settings : overrides.get(siteSpaceId)
  const added = newTargets(targetsIn(body, { here }), targetsIn(before, { here }))
  const { organizationId: organization } = site
  await requireTargets(context, { organization, structure }, added)
  await requireUnpublished(context, { organization, here }, newUnpublishedTargets(body, before))
}
