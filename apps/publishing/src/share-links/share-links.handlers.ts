import { shareLinks } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, createId, feature, omitUndefined } from '@recto/operation'
import type { ShareLinkRow } from './share-link.entity.ts'
import * as repository from './share-links.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { addressBelow, addressOf } from '../addresses/addresses.rules.ts'
import { requireNoneBeyond } from '../sites/covered-spaces.ts'
import { shownBeyondToken, updateSite, requireManagedSite, setLocationBelow } from '../sites/update-site.ts'
import type { SiteRow } from '../sites/site.entity.ts'

export const shareLinkFeature = feature<BaseContext>()(shareLinks, {
  // A link is a secret: whoever knows it reads the site. It is shown to those only who can create links.
  async listSiteShareLinks({ params, query }, context) {
    const site = await requireManagedSite(context, params)
    const { search, ...request } = query
    const filter = { siteId: site.id, search }
    const page = await repository.list(context.db, filter, { ...request, cursorKey: context.cursorKey() })
    const beyondToken = await shownBeyondToken(context, params)
    return { ...page, items: page.items.map(link => presentLink(link, { site, beyondToken }, context.sitesUrl)) }
  },

  async createSiteShareLink({ params, body: { name } }, context) {
    const { site, link } = await updateSite(context, params, async (tx, { site, place, beyondToken }) => {
      requireNoneBeyond(beyondToken)
      const link = { id: createId(), siteId: site.id, name, key: createId(), active: true, createdAt: new Date() }
      await repository.insert(tx, link)
      tx.record(recorded('site.share-link.created', { ...place, siteShareLink: link.id }))
      return { site, link }
    })
    setLocationBelow(context, params, `share-links/${link.id}`)
    return presentLink(link, { site, beyondToken: [] }, context.sitesUrl)
  },

  async updateSiteShareLinkById({ params: { shareLinkId, ...params }, body }, context) {
    return updateSite(context, params, async (tx, { site, place, beyondToken, revokeTokens }) => {
      const link = await repository.get(tx, { siteId: site.id, id: shareLinkId })
      const changes = omitUndefined(body)
      if (!link.active && changes.active) requireNoneBeyond(beyondToken)
      await repository.update(tx, link.id, changes)
      if (link.active && changes.active === false) revokeTokens()
      const changed = { ...link, ...changes }
      const fields = changedFields(link, changed)
      if (fields.length > 0)
        tx.record(recorded('site.share-link.updated', { ...place, siteShareLink: link.id, details: { fields } }))
      return presentLink(changed, { site, beyondToken }, context.sitesUrl)
    })
  },

  async deleteSiteShareLinkById({ params: { shareLinkId, ...params } }, context) {
    await updateSite(context, params, async (tx, { site, place, revokeTokens }) => {
      const link = await repository.remove(tx, { siteId: site.id, id: shareLinkId })
      if (link?.active) revokeTokens()
      if (link) tx.record(recorded('site.share-link.deleted', { ...place, siteShareLink: shareLinkId }))
    })
    return undefined
  },
})

/** A link; a token that is not for all that it opens does not get its key. */
function presentLink(
  link: ShareLinkRow,
  { site, beyondToken }: { site: SiteRow; beyondToken: readonly string[] },
  sitesUrl: string,
) {
  const showsAddress = site.published && beyondToken.length === 0
  return {
    object: 'share-link' as const,
    id: link.id,
    createdAt: link.createdAt.toISOString(),
    name: link.name,
    active: link.active,
    urls: showsAddress ? { published: addressBelow(addressOf(site, sitesUrl), [link.key]) } : {},
  }
}
