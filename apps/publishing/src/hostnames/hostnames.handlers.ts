import type { Role } from '@recto/actor'
import { hostnames } from '@recto/contracts-publishing'
import { Failure, feature } from '@recto/operation'
import { roleForbids } from '@recto/actor'
import { basenameIn } from '../addresses/addresses.rules.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { rolesOn } from '../site-access/site-grants.repository.ts'
import { canManageSites, canViewSites } from '../sites/sites.policy.ts'
import * as sites from '../sites/sites.repository.ts'
import { updateSiteWithStructure } from '../sites/update-site.ts'
import type { CustomHostnameRow } from './custom-hostname.entity.ts'
import * as claims from './custom-hostnames.repository.ts'
import { presentHostname } from './present-hostname.ts'

/** The form of a subdomain that the published API knows. */
const subdomainForm = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/

export const hostnameFeature = feature<BaseContext>()(hostnames, {
  async getCustomHostname({ params: { hostname }, query }, context) {
    return presentHostname((await requireClaim(context, { hostname, ...query })).claim, context.publicUrl)
  },

  async removeCustomHostname({ params: { hostname }, query }, context) {
    const visible = await findClaim(context, { hostname, ...query })
    if (!visible) return undefined
    const { id, organizationId, siteId } = requireManaged(visible)
    await updateSiteWithStructure(context, { organizationId, siteId }, async (tx, { site, structure }) => {
      await claims.remove(tx, id)
      const without = (name: string | null = null) => (name === hostname ? null : name)
      if (site.hostname === hostname) await sites.update(tx, siteId, { hostname: null })
      const { hostname: current, pendingHostname: pending } = site
      return { site: { ...site, hostname: without(current), pendingHostname: without(pending) }, structure }
    })
    return undefined
  },

  async dnsRevalidateCustomHostname({ params: { hostname }, query }, context) {
    const claim = requireManaged(await requireClaim(context, { hostname, ...query }))
    await claims.update(context.db, claim.id, { dueAt: new Date() })
    return undefined
  },

  async getSubdomain({ params: { subdomain } }, context) {
    const site = subdomainForm.test(subdomain) ? await sites.findByBasename(context.db, subdomain) : undefined
    const role = site && ((await rolesOn(context, [site])).get(site.id) ?? null)
    if (!site || !canViewSites(role ?? null)) throw new Failure('not_found', 'There is no such subdomain')
    const target = { type: 'organization' as const, organization: site.organizationId }
    return { object: 'subdomain', subdomain, target, isActive: site.published }
  },

  async askForCertificate({ query: { domain } }, { db, sitesUrl }) {
    const host = domain.toLowerCase().replace(/\.$/, '')
    const basename = basenameIn(host, sitesUrl)
    if (!(await sites.isPublishedAt(db, { host, basename })))
      throw new Failure('not_found', 'No published site is at this host')
    return { domain: host }
  },
})

interface VisibleClaim {
  claim: CustomHostnameRow
  role: Role | null
}

interface ClaimQuery {
  hostname: string
  /** The organization whose claim is meant; any unless given. */
  organization?: string | undefined
}

/** The claim to a hostname that the caller sees: that whose site is shown there, else the oldest. */
async function findClaim(context: Context, { hostname, organization }: ClaimQuery): Promise<VisibleClaim | undefined> {
  const all = await claims.claimsTo(context.db, hostname)
  const rows = all.filter(({ organizationId }) => organization === undefined || organizationId === organization)
  const sitesById = await sites.findAll(
    context.db,
    rows.map(({ siteId }) => siteId),
  )
  // An organization that requires single sign-on hides its claims from tokens without, as one that the caller is not in.
  const own = sitesById.filter(({ organizationId }) => isMember(context, organizationId))
  const roles = await rolesOn(context, own)
  const visible = rows.flatMap(claim => {
    const role = roles.get(claim.siteId) ?? null
    return canViewSites(role) ? [{ claim, role }] : []
  })
  return visible.find(({ claim }) => claim.state !== 'pending') ?? visible[0]
}

function isMember({ actor }: Context, organizationId: string): boolean {
  return actor.memberships.some(({ organization }) => organization === organizationId)
}

async function requireClaim(context: Context, query: ClaimQuery): Promise<VisibleClaim> {
  const visible = await findClaim(context, query)
  if (!visible) throw new Failure('not_found', 'There is no such hostname')
  return visible
}

function requireManaged({ claim, role }: VisibleClaim): CustomHostnameRow {
  if (!canManageSites(role)) throw roleForbids(role)
  return claim
}
