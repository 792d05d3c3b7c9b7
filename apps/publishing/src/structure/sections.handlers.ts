import { siteSections } from '@recto/contracts-publishing'
import { pageInMemory } from '@recto/database'
import { feature, omitUndefined } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { updateStructure, requireManagedSite, setLocationBelow, type SiteParams } from '../sites/update-site.ts'
import { listedSpaces } from './spaces-of-sites.ts'
import { addContent } from '../sites/add-content.ts'
import { addSection, removeSection, updateSection } from './change-structure.rules.ts'
import { sectionTitle } from './duplicate.rules.ts'
import { presentSection } from './present-structure.ts'
import type { SectionRow } from './section.entity.ts'
import { anchorsOf, sortStructure } from './sort.rules.ts'
import * as structures from './structure.repository.ts'
import { defaultSiteSpace, orderedSections, orderKey, requireSection } from './structure.rules.ts'
import { readStructure, loadStructureView } from '../published-sites/read-structure.ts'

export const siteSectionFeature = feature<BaseContext>()(siteSections, {
  async listSiteSections({ params, query }, context) {
    const visible = await readStructure(context, params, query)
    const keyOf = (section: SectionRow) => [orderKey(visible.structure, section), section.id]
    const page = pageInMemory(orderedSections(visible.structure), keyOf, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(section => presentSection(visible, section)) }
  },

  async addSectionToSite({ params, body }, context) {
    const managed = await requireManagedSite(context, params)
    const firstTitle = await titleOfFirst(context, params, managed.title)
    const { title, icon = null, draft, siteSectionGroupId: group } = body
    const changed = await addContent(context, params, {
      content: { ...body, title: title ?? undefined },
      add: (structure, { siteId, space, pageId }) => {
        const section = { siteId, title: title ?? sectionTitle(space.title), icon, draft, group }
        return addSection(structure, { ...section, space, pageId, firstTitle })
      },
    })
    const visible = await loadStructureView(context, changed)
    const section = presentSection(visible, requireSection(visible.structure, changed.id))
    setLocationBelow(context, params, `sections/${section.id}`)
    return section
  },

  async updateSiteSectionById({ params, body }, context) {
    const changed = await updateStructure(context, params, structure =>
      updateSection(structure, params.siteSectionId, omitUndefined(body)),
    )
    const visible = await loadStructureView(context, changed)
    return presentSection(visible, requireSection(visible.structure, params.siteSectionId))
  },

  async deleteSiteSectionById({ params }, context) {
    await updateStructure(context, params, structure => removeSection(structure, params.siteSectionId))
    return undefined
  },

  async moveSiteSection({ params, body }, context) {
    const item = { type: 'site-section' as const, id: params.siteSectionId }
    const changed = await updateStructure(context, params, structure =>
      sortStructure(
        structure,
        item,
        anchorsOf(body.position, ({ siteSection: id }) => ({ type: 'site-section', id })),
      ),
    )
    const visible = await loadStructureView(context, changed)
    return presentSection(visible, requireSection(visible.structure, item.id))
  },
})

/** The title of the section that the spaces of a site without sections become: that of its default space. */
async function titleOfFirst(context: Context, params: SiteParams, otherwise: string): Promise<string> {
  const structure = await structures.loadShown(context.db, params.siteId)
  const first = structure.sections.length === 0 ? defaultSiteSpace(structure, null) : undefined
  if (!first) return otherwise
  const space = (await listedSpaces(context, params.organizationId, [first.spaceId])).get(first.spaceId)
  return space ? sectionTitle(space.title) : otherwise
}
