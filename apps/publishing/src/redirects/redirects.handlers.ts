import { siteRedirects } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, createId, feature, omitUndefined } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { updateSite, readSite, requireManagedSite, setLocationBelow } from '../sites/update-site.ts'
import { canonicalSource, requireWildcard } from './canonical-source.rules.ts'
import { presentRedirect } from './present-redirect.ts'
import * as repository from './redirects.repository.ts'
import { resolveDestination } from './resolve-destinations.ts'

const field = 'body.destination'

export const redirectFeature = feature<BaseContext>()(siteRedirects, {
  async createSiteRedirect({ params, body }, context) {
    const managedSite = await requireManagedSite(context, params)
    const destination = await resolveDestination(context, managedSite, { field, destination: body.destination })
    const redirect = await updateSite(context, params, async (tx, { site, place }) => {
      const source = canonicalSource(body.source)
      const times = { createdAt: new Date(), updatedAt: null }
      const row = { ...body, source, destination, id: createId(), siteId: site.id, ...times }
      await repository.insert(tx, row)
      tx.record(recorded('site.redirect.created', { ...place, siteRedirect: row.id }))
      return row
    })
    setLocationBelow(context, params, `redirects/${redirect.id}`)
    return presentRedirect(redirect)
  },

  async listSiteRedirects({ params, query: { search, draft, orderBy, ...query } }, context) {
    const { id: siteId } = await readSite(context, params)
    const filter = { siteId, search, draft: draft === 'true', orderBy }
    const page = await repository.list(context.db, filter, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentRedirect) }
  },

  async updateSiteRedirectById({ params: { siteRedirectId: id, ...params }, body }, context) {
    const managedSite = await requireManagedSite(context, params)
    const { source } = body
    const destination =
      body.destination && (await resolveDestination(context, managedSite, { field, destination: body.destination }))
    return updateSite(context, params, async (tx, { site, place }) => {
      const redirect = await repository.get(tx, { siteId: site.id, id })
      const changes = {
        ...omitUndefined({ ...body, destination, source: source === undefined ? undefined : canonicalSource(source) }),
        updatedAt: new Date(),
      }
      requireWildcard({ ...redirect, ...changes }, body)
      await repository.update(tx, id, changes)
      const changed = { ...redirect, ...changes }
      const fields = changedFields(redirect, changed, ['updatedAt'])
      if (fields.length > 0)
        tx.record(recorded('site.redirect.updated', { ...place, siteRedirect: id, details: { fields } }))
      return presentRedirect(changed)
    })
  },

  async deleteSiteRedirectById({ params: { siteRedirectId: id, ...params } }, context) {
    await updateSite(context, params, async (tx, { site, place }) => {
      const isRemoved = await repository.remove(tx, { siteId: site.id, id })
      if (isRemoved) tx.record(recorded('site.redirect.deleted', { ...place, siteRedirect: id }))
    })
    return undefined
  },
})
