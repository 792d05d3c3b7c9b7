import { siteSpaces } from '@recto/contracts'
import { pageInMemory } from '@recto/database'
import { Failure, feature } from '@recto/operation'
import type { BaseContext } from '../../shared/context.ts'
import { defined } from '../../shared/defined.ts'
import { changeStructure, requireManagedSite } from '../../sites/change-site.ts'
import { requirePublishable } from '../../sites/spaces-of-sites.ts'
import { addSiteSpace, removeSiteSpaces, updateSiteSpace } from '../../sites/structure/change-structure.rules.ts'
import {
  presentGroup,
  presentSection,
  presentSiteSpace,
  presentStructure,
  type StructureView,
} from '../../sites/structure/present-structure.ts'
import type { SiteSpaceRow } from '../../sites/structure/site-space.entity.ts'
import { type Anchors, sortStructure } from '../../sites/structure/sort.rules.ts'
import {
  orderedSiteSpaces,
  requireGroup,
  requireSection,
  requireSiteSpace,
  siteSpaceOrderKey,
} from '../../sites/structure/structure.rules.ts'
import { readStructure, viewOf } from '../../audience/structure-view.ts'

export const siteSpaceFeature = feature<BaseContext>()(siteSpaces, {
  async getSiteStructure({ params, query }, context) {
    return presentStructure(await readStructure(context, params, query))
  },

  async sortSiteStructure({ params, body: { item, position } }, context) {
    const changed = await changeStructure(context, params, structure => sortStructure(structure, item, position))
    const view = await viewOf(context, changed)
    if (item.type === 'site-section') return presentSection(view, requireSection(view.structure, item.id))
    if (item.type === 'site-section-group') return presentGroup(view, requireGroup(view.structure, item.id))
    return shown(view, item.id)
  },

  async listSiteSpaces({ params, query }, context) {
    const view = await readStructure(context, params, query)
    const rows = orderedSiteSpaces(view.structure).filter(
      row =>
        view.spaces.has(row.spaceId) &&
        (query.default === undefined || isRoot(view, row.id) === (query.default === 'true')),
    )
    const keyOf = (row: SiteSpaceRow) => [...siteSpaceOrderKey(view.structure, row), row.id]
    const page = pageInMemory(rows, keyOf, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(row => shown(view, row.id)) }
  },

  async addSpaceToSite({ params, body: { spaceId, sectionId } }, context) {
    await requireManagedSite(context, params)
    const [space] = await requirePublishable(context, params.organizationId, [{ id: spaceId, field: 'body.spaceId' }])
    if (!space) throw new RangeError('a space was asked for')
    const changed = await changeStructure(context, params, (structure, { id: siteId }) =>
      addSiteSpace(structure, { siteId, space, section: sectionId }),
    )
    context.setLocation(
      `${context.publicUrl}/v1/orgs/${params.organizationId}/sites/${params.siteId}/site-spaces/${changed.id}`,
    )
    return shown(await viewOf(context, changed), changed.id)
  },

  async updateSiteSpaceById({ params, body }, context) {
    await requireManagedSite(context, params)
    const named = body.spaceId === undefined ? [] : [{ id: body.spaceId, field: 'body.spaceId' }]
    await requirePublishable(context, params.organizationId, named)
    const changed = await changeStructure(context, params, structure =>
      updateSiteSpace(structure, params.siteSpaceId, defined(body)),
    )
    return shown(await viewOf(context, changed), params.siteSpaceId)
  },

  async deleteSiteSpaceById({ params }, context) {
    await changeStructure(context, params, structure => removeSiteSpaces(structure, [params.siteSpaceId]))
    return undefined
  },

  async moveSiteSpace({ params, body }, context) {
    const item = { type: 'site-space' as const, id: params.siteSpaceId }
    const changed = await changeStructure(context, params, structure =>
      sortStructure(structure, item, anchorsOf(body.position)),
    )
    return shown(await viewOf(context, changed), item.id)
  },
})

/** A space of the site; throws `not_found` where the caller cannot read it. */
function shown(view: StructureView, id: string) {
  const presented = presentSiteSpace(view, requireSiteSpace(view.structure, id))
  if (!presented) throw new Failure('not_found', 'The site has no such space')
  return presented
}

/** Whether a space is at the root of the site: the default one of the default section, or of a site without sections. */
function isRoot({ structure }: StructureView, id: string): boolean {
  const { isDefault, sectionId } = requireSiteSpace(structure, id)
  return isDefault && (sectionId === null || requireSection(structure, sectionId).isDefault)
}

type SpacePointer = { siteSpace: string } | undefined

function anchorsOf(position: { before?: SpacePointer; after?: SpacePointer } = {}): Anchors {
  const pointer = (given: SpacePointer) => given && { type: 'site-space' as const, id: given.siteSpace }
  return { before: pointer(position.before), after: pointer(position.after) }
}
