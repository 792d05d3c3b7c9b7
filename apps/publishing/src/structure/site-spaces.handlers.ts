import { siteSpaces } from '@recto/contracts-publishing'
import { pageInMemory } from '@recto/database'
import { feature, omitUndefined } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import {
  updateStructure,
  updateStructureAndMore,
  requireManagedSite,
  setLocationBelow,
  type SiteParams,
} from '../sites/update-site.ts'
import { noSuchSiteSpace, requirePage, requirePublishable } from './spaces-of-sites.ts'
import { addContent } from '../sites/add-content.ts'
import { addSiteSpace, removeSiteSpaces, requireRoom, updateSiteSpace } from './change-structure.rules.ts'
import { duplicateSiteSpace } from './duplicate.rules.ts'
import * as customizations from '../customization/customizations.repository.ts'
import {
  presentExternalLink,
  presentGroup,
  presentSection,
  presentSiteSpace,
  presentStructure,
  type VisibleStructure,
} from './present-structure.ts'
import type { SiteSpaceRow } from './site-space.entity.ts'
import * as structures from './structure.repository.ts'
import { anchorsOf, sortStructure } from './sort.rules.ts'
import {
  orderedSiteSpaces,
  requireExternalLink,
  requireGroup,
  requireSection,
  requireSiteSpace,
  siteSpaceOrderKey,
} from './structure.rules.ts'
import { readStructure, loadStructureView } from '../published-sites/read-structure.ts'

export const siteSpaceFeature = feature<BaseContext>()(siteSpaces, {
  async getSiteStructure({ params, query }, context) {
    return presentStructure(await readStructure(context, params, query))
  },

  async sortSiteStructure({ params, body: { item, position } }, context) {
    const changed = await updateStructureAndMore(context, params, {
      rule: structure => sortStructure(structure, item, position),
      shows: item.type === 'site-space' ? () => item.id : undefined,
    })
    const visible = await loadStructureView(context, changed)
    if (item.type === 'site-external-link')
      return presentExternalLink(visible, requireExternalLink(visible.structure, item.id))
    if (item.type === 'site-section') return presentSection(visible, requireSection(visible.structure, item.id))
    if (item.type === 'site-section-group') return presentGroup(visible, requireGroup(visible.structure, item.id))
    return requireVisible(visible, item.id)
  },

  async listSiteSpaces({ params, query }, context) {
    const visible = await readStructure(context, params, query)
    const rows = orderedSiteSpaces(visible.structure).filter(
      row =>
        visible.spaces.has(row.spaceId) &&
        (query.default === undefined || isRoot(visible, row.id) === (query.default === 'true')),
    )
    const keyOf = (row: SiteSpaceRow) => [...siteSpaceOrderKey(visible.structure, row), row.id]
    const page = pageInMemory(rows, keyOf, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(row => requireVisible(visible, row.id)) }
  },

  async addSpaceToSite({ params, body }, context) {
    await requireManagedSite(context, params)
    const { sectionId: section, title, draft } = body
    const changed = await addContent(context, params, {
      content: body,
      add: (structure, content) => addSiteSpace(structure, { ...content, section, title, draft }),
      shows: ({ id }) => id,
    })
    setLocationBelow(context, params, `site-spaces/${changed.id}`)
    return requireVisible(await loadStructureView(context, changed), changed.id)
  },

  async updateSiteSpaceById({ params, body }, context) {
    await requireManagedSite(context, params)
    const spaceFields = body.spaceId === undefined ? [] : [{ id: body.spaceId, field: 'body.spaceId' }]
    await requirePublishable(context, params.organizationId, spaceFields)
    if (body.pageId !== undefined && body.pageId !== null)
      await requireHomePage(context, params, { page: body.pageId, space: body.spaceId })
    const changed = await updateStructureAndMore(context, params, {
      rule: structure => updateSiteSpace(structure, params.siteSpaceId, omitUndefined(body)),
      shows: () => params.siteSpaceId,
    })
    return requireVisible(await loadStructureView(context, changed), params.siteSpaceId)
  },

  async duplicateSiteSpace({ params: { siteSpaceId, ...params }, body: { draft } }, context) {
    await requireManagedSite(context, params)
    const { organizationId: organization } = params
    const structure = await structures.load(context.db, params.siteId)
    const { spaceId } = requireSiteSpace(structure, siteSpaceId)
    requireRoom(structure)
    const { actor, content } = context
    const { space } = await content.duplicateSpaceOfSite({ body: { actor, organization, space: spaceId } })
    const changed = await updateStructureAndMore(context, params, {
      rule: structure => duplicateSiteSpace(structure, siteSpaceId, { space, draft }),
      shows: ({ id }) => id,
      more: async (tx, { id }) => {
        const overrides = (await customizations.load(tx, params.siteId)).overrides.get(siteSpaceId)
        const copy = { siteId: params.siteId, siteSpaceId: id }
        if (overrides) await customizations.saveOverrides(tx, copy, overrides)
      },
    })
    setLocationBelow(context, params, `site-spaces/${changed.id}`)
    return requireVisible(await loadStructureView(context, changed), changed.id)
  },

  async deleteSiteSpaceById({ params }, context) {
    await updateStructure(context, params, structure => removeSiteSpaces(structure, [params.siteSpaceId]))
    return undefined
  },

  async moveSiteSpace({ params, body }, context) {
    const item = { type: 'site-space' as const, id: params.siteSpaceId }
    const anchors = anchorsOf(body.position, ({ siteSpace: id }) => ({ type: 'site-space' as const, id }))
    const changed = await updateStructureAndMore(context, params, {
      rule: structure => sortStructure(structure, item, anchors),
      shows: () => item.id,
    })
    return requireVisible(await loadStructureView(context, changed), item.id)
  },
})

/** Throws `not_found` where the space that a site shows, or will show, has no such page. */
async function requireHomePage(
  context: Context,
  { organizationId: organization, siteId, siteSpaceId }: SiteParams & { siteSpaceId: string },
  { page, space }: { page: string; space: string | undefined },
): Promise<void> {
  const structure = await structures.load(context.db, siteId)
  const { spaceId } = requireSiteSpace(structure, siteSpaceId)
  await requirePage(context, organization, { space: space ?? spaceId, page })
}

/** A space of the site; throws `not_found` where the caller cannot read it. */
function requireVisible(visible: VisibleStructure, id: string) {
  const presented = presentSiteSpace(visible, requireSiteSpace(visible.structure, id))
  if (!presented) throw noSuchSiteSpace()
  return presented
}

/** Whether a space is at the root of the site: the default one of the default section, or of a site without sections. */
function isRoot({ structure }: VisibleStructure, id: string): boolean {
  const { isDefault, sectionId } = requireSiteSpace(structure, id)
  return isDefault && (sectionId === null || requireSection(structure, sectionId).isDefault)
}
