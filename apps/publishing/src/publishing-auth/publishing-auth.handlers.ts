import { sitePublishingAuth } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, feature, type Secrets, omitUndefined } from '@recto/operation'
import type { SiteAuthRow } from './site-auth.entity.ts'
import * as repository from './site-auth.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { updateSite, requireManagedSite } from '../sites/update-site.ts'

export const publishingAuthFeature = feature<BaseContext>()(sitePublishingAuth, {
  // The key opens the site to whoever has it, so it is shown to those only who manage sites.
  async getSitePublishingAuthById({ params }, context) {
    const site = await requireManagedSite(context, params)
    const { db, signingSecret: secret } = context
    // The first key is a change of the site: lookups keep what they know of a site until it changes.
    const row =
      (await repository.find(db, site.id)) ??
      (await updateSite(context, params, tx => repository.ensure(tx, site.id, secret)))
    return present(row, secret)
  },

  async updateSitePublishingAuthById({ params, body: { fallbackURL, logoutURL } }, context) {
    return updateSite(context, params, async (tx, { site, place }) => {
      const row = await repository.ensure(tx, site.id, context.signingSecret)
      const changes = omitUndefined({ fallbackUrl: fallbackURL, logoutUrl: logoutURL })
      if (Object.keys(changes).length > 0) await repository.update(tx, site.id, changes)
      const fields = changedFields(row, { ...row, ...changes })
      if (fields.length > 0) tx.record(recorded('site.authentication.updated', { ...place, details: { fields } }))
      return present({ ...row, ...changes }, context.signingSecret)
    })
  },

  async regenerateSitePublishingAuthById({ params, body: { revoke } }, context) {
    const { signingSecret: secret } = context
    return updateSite(context, params, async (tx, { site, place, revokeTokens }) => {
      if (revoke) revokeTokens()
      const row = await repository.ensure(tx, site.id, secret)
      const changes = repository.rotated(row, { secret, now: new Date(), revoke })
      await repository.update(tx, site.id, changes)
      tx.record(recorded('site.authentication.key.regenerated', { ...place, details: { revoke } }))
      return present({ ...row, ...changes }, secret)
    })
  },
})

function present(row: SiteAuthRow, secret: Secrets) {
  const now = new Date()
  const [privateKey = ''] = repository.keysOf(row, { secret, now })
  return {
    object: 'publishing-auth' as const,
    backend: 'custom' as const,
    privateKey,
    ...(row.fallbackUrl !== null && { fallbackURL: row.fallbackUrl }),
    ...(row.logoutUrl !== null && { logoutURL: row.logoutUrl }),
    ...(repository.isInOverlap(row, now) && { previousKeyUntil: row.previousUntil?.toISOString() }),
  }
}
