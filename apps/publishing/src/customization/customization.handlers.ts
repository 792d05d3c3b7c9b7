import { customizations } from '@recto/contracts-publishing'
import { feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { updateSite, readSite, requireManagedSite, type SiteParams } from '../sites/update-site.ts'
import { requireTargets } from './check-targets.ts'
import { changeOverrides, effectiveCustomization } from './customization.rules.ts'
import * as repository from './customizations.repository.ts'
import { newTargets, targetsIn } from './references.rules.ts'
import { shownStructure } from '../structure/shown-structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'
import { defaultSection, defaultSiteSpace, requireSiteSpace } from '../structure/structure.rules.ts'

export const customizationFeature = feature<BaseContext>()(customizations, {
  async getSiteCustomizationById({ params }, context) {
    const site = await readSite(context, params)
    const { settings } = await repository.load(context.db, site.id)
    return effectiveCustomization(settings)
  },

  async updateSiteCustomizationById({ params, body }, context) {
    await requireLinks(context, params, { body })
    return updateSite(context, params, async (tx, { site }) => {
      await repository.save(tx, site.id, body)
      return effectiveCustomization(body)
    })
  },

  async getSiteSpaceCustomizationById({ params: { siteSpaceId, ...params } }, context) {
    const site = await readSite(context, params)
    requireSiteSpace(await structures.load(context.db, site.id), siteSpaceId)
    const { settings, overrides } = await repository.load(context.db, site.id)
    return effectiveCustomization(settings, overrides.get(siteSpaceId))
  },

  async overrideSiteSpaceCustomizationById({ params: { siteSpaceId, ...params }, body }, context) {
    await requireLinks(context, params, { body, siteSpaceId })
    return updateSite(context, params, async (tx, { site, structure }) => {
      requireSiteSpace(structure, siteSpaceId)
      const { settings, overrides: all } = await repository.load(tx, site.id)
      const overrides = changeOverrides(all.get(siteSpaceId) ?? {}, body)
      await repository.saveOverrides(tx, { siteId: site.id, siteSpaceId }, overrides)
      return effectiveCustomization(settings, overrides)
    })
  },

  async deleteSiteSpaceCustomizationById({ params: { siteSpaceId, ...params } }, context) {
    await updateSite(context, params, (tx, { site }) =>
      repository.removeOverrides(tx, { siteId: site.id, siteSpaceId }),
    )
    return undefined
  },
})

/** Checks the role, then the links that the settings did not have before. */
async function requireLinks(
  context: Context,
  params: SiteParams,
  { body, siteSpaceId }: { body: object; siteSpaceId?: string },
): Promise<void> {
  const site = await requireManagedSite(context, params)
  const structure = await structures.load(context.db, site.id)
  const shown = shownStructure(structure)
  const root = defaultSiteSpace(shown, defaultSection(shown)?.id ?? null)
  const here = (siteSpaceId === undefined ? root : requireSiteSpace(structure, siteSpaceId))?.spaceId
  const { settings, overrides } = await repository.load(context.db, site.id)
  const before = siteSpaceId === undefined ? settings : overrides.get(siteSpaceId)
  const added = newTargets(targetsIn(body, { here }), targetsIn(before, { here }))
  await requireTargets(context, { organization: site.organizationId, structure }, added)
}
