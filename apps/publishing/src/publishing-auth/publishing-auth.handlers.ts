import { sitePublishingAuth } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, feature, omitUndefined, type Secrets } from '@recto/operation'
import { changeProvider, type ProviderChange } from './change-provider.rules.ts'
import { clientSecrets } from './keys.ts'
import { presentProvider } from './present-provider.ts'
import type { SiteAuthRow } from './site-auth.entity.ts'
import * as repository from './site-auth.repository.ts'
import type { SiteOidcRow } from './site-oidc.entity.ts'
import * as siteOidc from './site-oidc.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import { updateSite, requireManagedSite } from '../sites/update-site.ts'
import type { Transaction } from '@recto/database'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'

export const publishingAuthFeature = feature<BaseContext>()(sitePublishingAuth, {
  // The key opens the site to whoever has it, so it is shown to those only who manage sites.
  async getSitePublishingAuthById({ params }, context) {
    const site = await requireManagedSite(context, params)
    const { db, signingSecret: secret } = context
    // The first key is a change of the site: lookups keep what they know of a site until it changes.
    const row =
      (await repository.find(db, site.id)) ??
      (await updateSite(context, params, tx => repository.ensure(tx, site.id, secret)))
    return present({ site, row, oidc: await siteOidc.find(db, site.id) }, context)
  },

  async updateSitePublishingAuthById({ params, body: { fallbackURL, logoutURL, oidc: provider } }, context) {
    return updateSite(context, params, async (tx, { site, place, revokeTokens }) => {
      const row = await repository.ensure(tx, site.id, context.signingSecret)
      const changes = omitUndefined({ fallbackUrl: fallbackURL, logoutUrl: logoutURL })
      if (Object.keys(changes).length > 0) await repository.update(tx, site.id, changes)
      const updated = await updateProvider(tx, { site, provider, revokeTokens }, context)
      const fields = [...changedFields(row, { ...row, ...changes }), ...(updated.isChanged ? ['oidc'] : [])]
      if (fields.length > 0) tx.record(recorded('site.authentication.updated', { ...place, details: { fields } }))
      return present({ site, row: { ...row, ...changes }, oidc: updated.row ?? undefined }, context)
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
      return present({ site, row: { ...row, ...changes }, oidc: await siteOidc.find(tx, site.id) }, context)
    })
  },
})

/** The secret that is stored for a provider; undefined for none, and where the secret that encrypted it is lost: it is given anew, then. */
function readableSecret(row: SiteOidcRow, secrets: Secrets): string | undefined {
  try {
    return siteOidc.openIdSettings(row, secrets).clientSecret
  } catch {
    return undefined
  }
}

interface ProviderUpdate {
  site: SiteRow
  /** Left out, it stays. */
  provider: ProviderChange | null | undefined
  revokeTokens(): void
}

/** Sets or removes the provider of a site; ends the visits of those whom it signed in where the rule says so. */
async function updateProvider(
  tx: Transaction,
  { site, provider, revokeTokens }: ProviderUpdate,
  { signingSecret }: Pick<BaseContext, 'signingSecret'>,
): Promise<{ row: SiteOidcRow | null; isChanged: boolean }> {
  const before = await siteOidc.lock(tx, site.id)
  if (provider === undefined) return { row: before ?? null, isChanged: false }
  const seal = (secret: string) => clientSecrets.seal(secret, site.id, signingSecret)
  const isStored = (secret: string) => before !== undefined && readableSecret(before, signingSecret) === secret
  const { row, isChanged, endsSessions } = changeProvider(site.id, before, { change: provider, seal, isStored })
  if (isChanged) await (row ? siteOidc.save(tx, row) : siteOidc.remove(tx, site.id))
  if (endsSessions) {
    await sessions.endAll(tx, site.id)
    revokeTokens()
  }
  return { row, isChanged }
}

interface Presented {
  site: SiteRow
  row: SiteAuthRow
  oidc: SiteOidcRow | undefined
}

function present({ site, row, oidc }: Presented, context: BaseContext) {
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
  }
}
