import { siteExternalLinks } from '@recto/contracts-publishing'
import { feature, omitUndefined } from '@recto/operation'
import { loadStructureView } from '../published-sites/read-structure.ts'
import type { BaseContext } from '../shared/context.ts'
import { setLocationBelow, updateStructure } from '../sites/update-site.ts'
import { addExternalLink, removeExternalLink, updateExternalLink } from './external-links.rules.ts'
import { presentExternalLink } from './present-structure.ts'
import { requireExternalLink } from './structure.rules.ts'

export const siteExternalLinkFeature = feature<BaseContext>()(siteExternalLinks, {
  async addExternalLinkToSite({ params, body: { draft, title, url, ...fields } }, context) {
    const changed = await updateStructure(context, params, (structure, { id: siteId }) =>
      addExternalLink(structure, { siteId, title, url, draft, ...omitUndefined(fields) }),
    )
    setLocationBelow(context, params, `external-links/${changed.id}`)
    const visible = await loadStructureView(context, changed)
    return presentExternalLink(visible, requireExternalLink(visible.structure, changed.id))
  },

  async updateSiteExternalLinkById({ params, body }, context) {
    const changed = await updateStructure(context, params, structure =>
      updateExternalLink(structure, params.siteExternalLinkId, omitUndefined(body)),
    )
    const visible = await loadStructureView(context, changed)
    return presentExternalLink(visible, requireExternalLink(visible.structure, params.siteExternalLinkId))
  },

  async deleteSiteExternalLinkById({ params }, context) {
    await updateStructure(context, params, structure => removeExternalLink(structure, params.siteExternalLinkId))
    return undefined
  },
})
