import type { Transaction } from '@recto/database'
import type { Secrets } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'
import { changeMemberVisitors, requireOneWay } from './change-member-visitors.rules.ts'
import { changeProvider, type ProviderChange } from './change-provider.rules.ts'
import { clientSecrets } from './keys.ts'
import type { MemberClaimMapping } from './member-claims.rules.ts'
import type { MemberVisitorsRow } from './member-visitors.entity.ts'
import * as memberVisitors from './member-visitors.repository.ts'
import type { SiteOidcRow } from './site-oidc.entity.ts'
import * as siteOidc from './site-oidc.repository.ts'

/** How visitors of a site are to sign in: left out, it stays; null removes it. */
interface WaysUpdate {
  site: SiteRow
  oidc: ProviderChange | null | undefined
  members: { claims?: MemberClaimMapping | undefined } | null | undefined
  revokeTokens(): void
}

/** How visitors of a site sign in: by a provider, as members, or neither. */
export interface Ways {
  oidc: SiteOidcRow | undefined
  members: MemberVisitorsRow | undefined
}

/** Changes how visitors of a site sign in, and names the fields that have changed; ends the visits of those who have signed in otherwise. */
export async function updateWays(
  tx: Transaction,
  { site, oidc, members, revokeTokens }: WaysUpdate,
  context: Pick<BaseContext, 'signingSecret'>,
): Promise<{ ways: Ways; changedFields: string[] }> {
  const provider = await siteOidc.lock(tx, site.id)
  const visitors = await memberVisitors.lock(tx, site.id)
  requireOneWay({
    oidc: { isStored: provider !== undefined, change: oidc },
    members: { isStored: visitors !== undefined, change: members },
  })
  const ofProvider = await updateProvider(tx, { site, before: provider, change: oidc }, context)
  const ofMembers = await updateMembers(tx, { site, before: visitors, change: members })
  const changes = [
    { field: 'oidc', ...ofProvider },
    { field: 'members', ...ofMembers },
  ]
  if (changes.some(({ endsSessions }) => endsSessions)) {
    await sessions.endAll(tx, site.id)
    revokeTokens()
  }
  return {
    ways: { oidc: ofProvider.row, members: ofMembers.row },
    changedFields: changes.flatMap(({ field, isChanged }) => (isChanged ? [field] : [])),
  }
}

interface WayUpdate<Row> {
  row: Row | undefined
  isChanged: boolean
  endsSessions: boolean
}

const unchanged = { isChanged: false, endsSessions: false }

async function updateProvider(
  tx: Transaction,
  { site, before, change }: { site: SiteRow; before: SiteOidcRow | undefined; change: WaysUpdate['oidc'] },
  { signingSecret }: Pick<BaseContext, 'signingSecret'>,
): Promise<WayUpdate<SiteOidcRow>> {
  if (change === undefined) return { row: before, ...unchanged }
  const seal = (secret: string) => clientSecrets.seal(secret, site.id, signingSecret)
  const isStored = (secret: string) => before !== undefined && readableSecret(before, signingSecret) === secret
  const { row, isChanged, endsSessions } = changeProvider(site.id, before, { change, seal, isStored })
  if (isChanged) await (row ? siteOidc.save(tx, row) : siteOidc.remove(tx, site.id))
  return { row: row ?? undefined, isChanged, endsSessions }
}

async function updateMembers(
  tx: Transaction,
  { site, before, change }: { site: SiteRow; before: MemberVisitorsRow | undefined; change: WaysUpdate['members'] },
): Promise<WayUpdate<MemberVisitorsRow>> {
  if (change === undefined) return { row: before, ...unchanged }
  const { row, isChanged, endsSessions } = changeMemberVisitors(site.id, before, change)
  if (isChanged) await (row ? memberVisitors.save(tx, row) : memberVisitors.remove(tx, site.id))
  return { row: row ?? undefined, isChanged, endsSessions }
}

/** The secret that is stored for a provider; undefined for none, and where the secret that encrypted it is lost: it is given anew, then. */
function readableSecret(row: SiteOidcRow, secrets: Secrets): string | undefined {
  try {
    return siteOidc.openIdSettings(row, secrets).clientSecret
  } catch {
    return undefined
  }
}
