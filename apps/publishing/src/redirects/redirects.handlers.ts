import { siteRedirects } from '@recto/contracts-publishing'
import { createId, feature, fieldFault } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { omitUndefined } from '../shared/omit-undefined.ts'
import { updateSite, readSite, requireManagedSite, setLocationBelow, type SiteParams } from '../sites/update-site.ts'
import { requireTargets } from '../customization/check-targets.ts'
import { canonicalSource } from './canonical-source.rules.ts'
import type { RedirectRow } from './redirect.entity.ts'
import * as repository from './redirects.repository.ts'
import * as structures from '../structure/structure.repository.ts'

export const redirectFeature = feature<BaseContext>()(siteRedirects, {
  async createSiteRedirect({ params, body }, context) {
    await requireDestination(context, params, body.destination)
    const redirect = await updateSite(context, params, async (tx, { site }) => {
      const source = canonicalSource(body.source)
      const row = { ...body, source, id: createId(), siteId: site.id, createdAt: new Date() }
      await repository.insert(tx, row)
      return row
    })
    setLocationBelow(context, params, `redirects/${redirect.id}`)
    return present(redirect)
  },

  async listSiteRedirects({ params, query: { search, ...query } }, context) {
    const { id: siteId } = await readSite(context, params)
    const page = await repository.list(context.db, { siteId, search }, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(present) }
  },

  async updateSiteRedirectById({ params: { siteRedirectId: id, ...params }, body }, context) {
    await requireDestination(context, params, body.destination)
    return updateSite(context, params, async (tx, { site }) => {
      const redirect = await repository.get(tx, { siteId: site.id, id })
      const { source } = body
      const changes = omitUndefined({ ...body, source: source === undefined ? undefined : canonicalSource(source) })
      await repository.update(tx, id, changes)
      return present({ ...redirect, ...changes })
    })
  },

  async deleteSiteRedirectById({ params: { siteRedirectId: id, ...params } }, context) {
    await updateSite(context, params, (tx, { site }) => repository.remove(tx, { siteId: site.id, id }))
    return undefined
  },
})

/** Throws `not_found`, naming the field, where the site does not show what a redirect leads to. */
async function requireDestination(
  context: Context,
  params: SiteParams,
  destination: RedirectRow['destination'] | undefined,
): Promise<void> {
  const { id, organizationId: organization } = await requireManagedSite(context, params)
  if (!destination) return
  const structure = await structures.load(context.db, id)
  const missing = (field: string, what: string) =>
    fieldFault(`body.destination.${field}`, `the site has no such ${what}`, 'not_found')
  if (destination.kind === 'site-section') {
    if (!structure.sections.some(({ id }) => id === destination.siteSectionId))
      throw missing('siteSectionId', 'section')
    return
  }
  const siteSpace = structure.siteSpaces.find(({ id }) => id === destination.siteSpaceId)
  if (!siteSpace) throw missing('siteSpaceId', 'space')
  if (destination.kind === 'site-space') return
  const target = { kind: 'page' as const, id: destination.pageId }
  const named = { field: 'body.destination.pageId', space: siteSpace.spaceId, target }
  await requireTargets(context, { organization, structure }, [named])
}

function present({ id, source, destination }: RedirectRow) {
  return { object: 'site-redirect' as const, id, source, destination }
}
