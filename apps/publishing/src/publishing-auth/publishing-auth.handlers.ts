import { sitePublishingAuth } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, feature, omitUndefined } from '@recto/operation'
import * as memberVisitors from './member-visitors.repository.ts'
import { presentProvider } from './present-provider.ts'
import type { SiteAuthRow } from './site-auth.entity.ts'
import * as repository from './site-auth.repository.ts'
import * as siteOidc from './site-oidc.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import { requireNoneBeyond } from '../sites/covered-spaces.ts'
import { shownBeyondToken, updateSite, requireManagedSite } from '../sites/update-site.ts'
import type { Db } from '@recto/database'
import { updateWays, type Ways } from './update-ways.ts'

export const publishingAuthFeature = feature<BaseContext>()(sitePublishingAuth, {
  // The key opens the site to whoever has it, so it is shown to those only who manage sites, and to tokens that are for all that it opens.
  async getSitePublishingAuthById({ params }, context) {
    const site = await requireManagedSite(context, params)
    requireNoneBeyond(await shownBeyondToken(context, params))
    const { db, signingSecret: secret } = context
    // The first key is a change of the site: lookups keep what they know of a site until it changes.
    const row =
      (await repository.find(db, site.id)) ??
      (await updateSite(context, params, tx => repository.ensure(tx, site.id, secret)))
    return present({ site, row, ...(await waysOf(db, site.id)) }, context)
  },

  async updateSitePublishingAuthById({ params, body: { fallbackURL, logoutURL, oidc, members } }, context) {
    return updateSite(context, params, async (tx, { site, place, beyondToken, revokeTokens }) => {
      requireNoneBeyond(beyondToken)
      const row = await repository.ensure(tx, site.id, context.signingSecret)
      const changes = omitUndefined({ fallbackUrl: fallbackURL, logoutUrl: logoutURL })
      if (Object.keys(changes).length > 0) await repository.update(tx, site.id, changes)
      const { ways, changedFields: changedWays } = await updateWays(tx, { site, oidc, members, revokeTokens }, context)
      const fields = [...changedFields(row, { ...row, ...changes }), ...changedWays]
      if (fields.length > 0) tx.record(recorded('site.authentication.updated', { ...place, details: { fields } }))
      return present({ site, row: { ...row, ...changes }, ...ways }, context)
    })
  },

  async regenerateSitePublishingAuthById({ params, body: { revoke } }, context) {
    const { signingSecret: secret } = context
    return updateSite(context, params, async (tx, { site, place, beyondToken, revokeTokens }) => {
      requireNoneBeyond(beyondToken)
      if (revoke) revokeTokens()
      const row = await repository.ensure(tx, site.id, secret)
      const changes = repository.rotated(row, { secret, now: new Date(), revoke })
      await repository.update(tx, site.id, changes)
      tx.record(recorded('site.authentication.key.regenerated', { ...place, details: { revoke } }))
      return present({ site, row: { ...row, ...changes }, ...(await waysOf(tx, site.id)) }, context)
    })
  },
})

/** How visitors of a site sign in. */
async function waysOf(db: Db, siteId: string): Promise<Ways> {
  const [oidc, members] = await Promise.all([siteOidc.find(db, siteId), memberVisitors.find(db, siteId)])
  return { oidc, members }
}

interface Presented extends Ways {
  site: SiteRow
  row: SiteAuthRow
}

function present({ site, row, oidc, members }: Presented, context: BaseContext) {
  const now = new Date()
  const [privateKey = ''] = repository.keysOf(row, { secret: context.signingSecret, now })
  return {
    object: 'publishing-auth' as const,
    backend: 'custom' as const,
    privateKey,
    ...(row.fallbackUrl !== null && { fallbackURL: row.fallbackUrl }),
    ...(row.logoutUrl !== null && { logoutURL: row.logoutUrl }),
    ...(repository.isInOverlap(row, now) && { previousKeyUntil: row.previousUntil?.toISOString() }),
    ...(oidc && { oidc: presentProvider(oidc, { site, logoutUrl: row.logoutUrl }, context) }),
    ...(members && { members: { ...(members.claims && { claims: members.claims }) } }),
  }
}
