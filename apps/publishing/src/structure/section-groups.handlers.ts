import { siteSectionGroups } from '@recto/contracts-publishing'
import { pageInMemory } from '@recto/database'
import { feature, omitUndefined } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { updateStructure, setLocationBelow } from '../sites/update-site.ts'
import { addGroup, addToGroup, removeGroup, removeFromGroup, updateGroup } from './groups.rules.ts'
import type { GroupRow } from './group.entity.ts'
import { presentGroup } from './present-structure.ts'
import { sortStructure } from './sort.rules.ts'
import { orderedGroups, orderKey, requireGroup } from './structure.rules.ts'
import { readStructure, loadStructureView } from '../published-sites/read-structure.ts'

export const siteSectionGroupFeature = feature<BaseContext>()(siteSectionGroups, {
  async listSiteSectionGroups({ params, query }, context) {
    const visible = await readStructure(context, params)
    const keyOf = (group: GroupRow) => [orderKey(visible.structure, group), group.id]
    const page = pageInMemory(orderedGroups(visible.structure), keyOf, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(group => presentGroup(visible, group)) }
  },

  async addSectionGroupToSite({ params, body: { icon = null, parent = null, ...group } }, context) {
    const changed = await updateStructure(context, params, (structure, { id: siteId }) =>
      addGroup(structure, { siteId, icon, parent, ...group }),
    )
    const visible = await loadStructureView(context, changed)
    setLocationBelow(context, params, `section-groups/${changed.id}`)
    return presentGroup(visible, requireGroup(visible.structure, changed.id))
  },

  async updateSiteSectionGroupById({ params, body }, context) {
    const changed = await updateStructure(context, params, structure =>
      updateGroup(structure, params.siteSectionGroupId, omitUndefined(body)),
    )
    const visible = await loadStructureView(context, changed)
    return presentGroup(visible, requireGroup(visible.structure, params.siteSectionGroupId))
  },

  async deleteSiteSectionGroupById({ params }, context) {
    await updateStructure(context, params, structure => removeGroup(structure, params.siteSectionGroupId))
    return undefined
  },

  async addSectionToGroup({ params, body: { sectionId } }, context) {
    const changed = await updateStructure(context, params, structure =>
      addToGroup(structure, sectionId, params.siteSectionGroupId),
    )
    const group = requireGroup(changed.structure, params.siteSectionGroupId)
    setLocationBelow(context, params, `section-groups/${group.id}`)
    return presentGroup(await loadStructureView(context, changed), group)
  },

  async removeSectionFromGroup({ params }, context) {
    await updateStructure(context, params, structure =>
      removeFromGroup(structure, params.siteSectionId, params.siteSectionGroupId),
    )
    return undefined
  },

  async moveSiteSectionGroup({ params, body: { position = {} } }, context) {
    const item = { type: 'site-section-group' as const, id: params.siteSectionGroupId }
    const changed = await updateStructure(context, params, structure => sortStructure(structure, item, position))
    const visible = await loadStructureView(context, changed)
    return presentGroup(visible, requireGroup(visible.structure, item.id))
  },
})
