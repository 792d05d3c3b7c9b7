import type { Visitor } from '@recto/actor'
import { publishedSites } from '@recto/contracts-publishing'
import { meetsCondition } from '@recto/expressions'
import { feature, fromView, type Input } from '@recto/operation'
import { openPublished } from './read-published.ts'
import { withCurrentFonts } from '../customization/custom-fonts.ts'
import { visibleLooks } from '../customization/visible-looks.ts'
import { withLoginUrls } from '../publishing-auth/login-urls.ts'
import { withSpaces } from './resolve-path.rules.ts'
import { loadStructureView } from './read-structure.ts'
import type { BaseContext } from '../shared/context.ts'
import {
  effectiveCustomization,
  withoutAgents,
  withoutInstructions,
  type Customization,
} from '../customization/customization.rules.ts'
import * as customizations from '../customization/customizations.repository.ts'
import { presentSite, presentSiteToVisitor } from '../sites/present-site.ts'
import { rolesOn } from '../site-access/site-grants.repository.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import { presentStructure } from '../structure/present-structure.ts'
import { withoutEmptyGroups } from '../structure/shown-structure.rules.ts'

export const publishedSiteFeature = feature<BaseContext>()(publishedSites, {
  getPublishedContentSite: fromView(openPublished, async ({ site, ...seen }, { query }: PublishedInput, context) => {
    const { visitor } = context.actor
    const visible = await loadStructureView(context, { site, shareKey: query.shareKey, ...seen })
    const structure = withSpaces(visible.structure, visible.spaces)
    const live = withSpaces(visible.live, visible.spaces)
    const role = (await rolesOn(context, visitor ? [] : [site])).get(site.id) ?? null
    const seenPart = { siteSpaces: structure.siteSpaces.length, address: visible.address ?? '' }
    const stored = await customizations.load(context.db, site.id)
    const set = await withCurrentFonts(context, site.organizationId, stored)
    const looks = visitor ? await visibleLooks(context, { organization: site.organizationId, structure }, set) : set
    const look = (siteSpace?: string) => {
      const effective = effectiveCustomization(looks.settings, looks.overrides.get(siteSpace ?? ''))
      const updatedAt = set.updatedAt(siteSpace)
      const seen = customizationForVisitor(withoutInstructions(effective), { site, visitor })
      return { ...seen, ...(updatedAt && { updatedAt: updatedAt.toISOString() }) }
    }
    const overriding = structure.siteSpaces.filter(({ id }) => looks.overrides.has(id))
    const presented = visitor
      ? presentSiteToVisitor(site, seenPart, context)
      : presentSite(site, { ...seenPart, role }, context)
    const [shownSite = presented] = await withLoginUrls(context.db, [presented])
    return {
      object: 'published-content-site',
      site: shownSite,
      // Members manage the groups in which they see nothing.
      structure: presentStructure({ ...visible, live, structure: visitor ? withoutEmptyGroups(structure) : structure }),
      customizations: { site: look(), siteSpaces: Object.fromEntries(overriding.map(({ id }) => [id, look(id)])) },
      scripts: [],
    }
  }),
})

type PublishedInput = Input<typeof publishedSites.getPublishedContentSite>

/** Removes header links whose condition fails for the visitor, all conditions, and the settings for AI agents if the site excludes them. Without a visitor the customization is unchanged. */
function customizationForVisitor(
  look: Customization,
  { site, visitor }: { site: Pick<SiteRow, 'agentsContext'>; visitor: Visitor | undefined },
): Customization {
  if (!visitor) return look
  const { claims } = visitor
  const links = look.header.links.flatMap(({ condition, ...link }) =>
    meetsCondition(condition, { visitor: { claims } }) ? [link] : [],
  )
  const customization = site.agentsContext === 'excluded' ? withoutAgents(look) : look
  return { ...customization, header: { ...customization.header, links } }
}
