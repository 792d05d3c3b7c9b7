import type { Transaction } from '@recto/database'
import { Failure } from '@recto/operation'
import * as claims from '../hostnames/custom-hostnames.repository.ts'
import type { SiteRow } from './site.entity.ts'
import type { SiteView } from './sites.repository.ts'

/**
 * Claims a hostname for a site, or ends all its claims (null). Returns the hostname where the site is shown from now on, and the one that
 * it waits for: until that is proven, the site stays where it was. Throws `conflict` when another site of the organization claims it.
 */
export async function claimHostname(
  tx: Transaction,
  { id: siteId, organizationId, hostname: current }: SiteRow,
  { hostname, requiresProof }: { hostname: string | null; requiresProof: boolean },
): Promise<Pick<SiteView, 'hostname' | 'pendingHostname'>> {
  if (hostname === null) {
    await claims.removeOthers(tx, siteId, [])
    return { hostname, pendingHostname: null }
  }
  const claim = (await claims.claimsTo(tx, hostname)).find(row => row.organizationId === organizationId)
  if (claim && claim.siteId !== siteId) throw new Failure('conflict', 'body.hostname: is taken')
  const isShown = !requiresProof || hostname === current
  await claims.removeOthers(tx, siteId, isShown || current === null ? [hostname] : [hostname, current])
  const trusted = { state: 'trusted', fault: null, failingSince: null, dueAt: null } as const
  if (!claim) await claims.insert(tx, { hostname, organizationId, siteId, state: isShown ? 'trusted' : 'pending' })
  else if (isShown && claim.state === 'pending') await claims.update(tx, claim.id, trusted)
  return isShown ? { hostname, pendingHostname: null } : { hostname: current, pendingHostname: hostname }
}
