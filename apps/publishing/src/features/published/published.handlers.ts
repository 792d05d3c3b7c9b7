import type { Visitor } from '@recto/actor'
import { publishedSites } from '@recto/contracts'
import { meetsCondition } from '@recto/expressions'
import { feature } from '@recto/operation'
import { readPublished, shownToVisitor } from '../../audience/read-published.ts'
import { withSpaces } from '../../audience/resolve-path.rules.ts'
import { visibleStructure } from '../../audience/read-structure.ts'
import type { BaseContext } from '../../shared/context.ts'
import {
  effectiveCustomization,
  withoutAgents,
  type Customization,
} from '../../sites/customization/customization.rules.ts'
import * as customizations from '../../sites/customization/customizations.repository.ts'
import { presentSite } from '../../sites/present-site.ts'
import type { SiteRow } from '../../sites/site.entity.ts'
import { presentStructure } from '../../sites/structure/present-structure.ts'
import * as structures from '../../sites/structure/structure.repository.ts'

export const publishedSiteFeature = feature<BaseContext>()(publishedSites, {
  async getPublishedContentSite({ params, query: { shareKey } }, context) {
    const { visitor } = context.actor
    const site = await readPublished(context, params)
    const all = await structures.load(context.db, site.id)
    const structure = visitor ? shownToVisitor(all, visitor) : all
    const visible = await visibleStructure(context, { site, structure, shareKey })
    const looks = await customizations.load(context.db, site.id)
    const look = (siteSpace?: string) =>
      lookFor(effectiveCustomization(looks.settings, looks.overrides.get(siteSpace ?? '')), { site, visitor })
    const shown = visible.structure.siteSpaces.filter(
      ({ id, spaceId }) => looks.overrides.has(id) && visible.spaces.has(spaceId),
    )
    return {
      object: 'published-content-site',
      site: presentSite(site, context),
      structure: presentStructure({ ...visible, structure: withSpaces(structure, visible.spaces) }),
      customizations: { site: look(), siteSpaces: Object.fromEntries(shown.map(({ id }) => [id, look(id)])) },
      scripts: [],
    }
  },
})

/** How the site looks to a visitor: links in its header whose condition does not hold are not sent, nor what is for agents where they are excluded. */
function lookFor(
  look: Customization,
  { site, visitor }: { site: Pick<SiteRow, 'agentsContext'>; visitor: Visitor | undefined },
): Customization {
  if (!visitor) return look
  const { claims } = visitor
  const links = look.header.links.filter(({ condition }) => meetsCondition(condition, { visitor: { claims } }))
  const shown = site.agentsContext === 'excluded' ? withoutAgents(look) : look
  return { ...shown, header: { ...shown.header, links } }
}
