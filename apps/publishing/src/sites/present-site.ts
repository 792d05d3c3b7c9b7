import { siteFeatures, type Site } from '@recto/contracts-publishing'
import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { z } from 'zod'
import { addressOf, hostOf } from '../addresses/addresses.rules.ts'
import type { Context } from '../shared/context.ts'
import type { SiteRow } from './site.entity.ts'
import type { SiteView } from './sites.repository.ts'
import { sitePermissionsOf, visitorPermissions } from '../site-access/site-access.policy.ts'
import { rolesOn } from '../site-access/site-grants.repository.ts'
import { listedSpaces } from '../structure/spaces-of-sites.ts'
import * as structures from '../structure/structure.repository.ts'

type Presented = z.input<typeof Site>

/** Where the API, the application, the sites and the reader of the installation are. */
export interface Addresses {
  publicUrl: string
  sitesUrl: string
  readerUrl?: string | undefined
}

/** Where the reader of the installation previews a site, for who has a token of a preview; undefined without a reader. */
export function previewAddress({ id }: Pick<SiteRow, 'id'>, { readerUrl }: Pick<Addresses, 'readerUrl'>) {
  return readerUrl === undefined ? undefined : `${readerUrl}/url/preview/${id}/`
}

/** Sites of an organization as the API shows them to members, with the number of their spaces that the caller can read; one call to content for all of them. */
export async function presentSites(context: Context, sites: readonly SiteView[]): Promise<Presented[]> {
  const [first] = sites
  if (!first) return []
  const siteIds = sites.map(({ id }) => id)
  const spacesOf = await structures.shownSpaceIds(context.db, siteIds)
  const spaces = await countedSpaces(context, first.organizationId, siteIds.flatMap(spacesOf))
  const roles = await rolesOn(context, sites)
  return sites.map(site => {
    const siteSpaces = spacesOf(site.id).filter(id => spaces?.has(id) !== false).length
    const role = roles.get(site.id) ?? null
    return presentSite(site, { role, siteSpaces, address: addressOf(site, context.sitesUrl) }, context)
  })
}

/** The spaces that the caller can read; undefined while content does not answer: a change that was made is answered, and all spaces are counted. */
async function countedSpaces(context: Context, organization: string, spaces: string[]) {
  try {
    return await listedSpaces(context, organization, spaces)
  } catch (error) {
    if (error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')) return undefined
    throw error
  }
}

/** The part of a site that a caller sees: how many of its spaces, and where they find it. */
export interface Sight {
  siteSpaces: number
  /** Behind a share link, where they give its key. */
  address: string
}

/** A site as the API shows it to whoever has a role on it. */
export function presentSite(site: SiteView, seen: Sight & { role: Role | null }, addresses: Addresses): Presented {
  const { hostname, pendingHostname } = site
  const claim =
    pendingHostname !== undefined && pendingHostname !== null
      ? { hostname: pendingHostname, hostnameState: 'pending' as const }
      : hostname !== null && { hostname, hostnameState: 'active' as const }
  return {
    ...presentSiteToVisitor(site, seen, addresses),
    defaultLevel: site.defaultLevel,
    permissions: sitePermissionsOf(seen.role),
    ...claim,
    basename: site.basename,
    ...(site.proxy !== null && { proxy: { origin: site.proxy, target: hostOf(site, addresses.sitesUrl) } }),
  }
}

/** A site as its visitors see it: without what only concerns those who manage it. Readers decide by `adaptiveContent` whether visitors may share pages. */
export function presentSiteToVisitor(
  site: SiteView,
  { siteSpaces, address }: Sight,
  { publicUrl, readerUrl }: Pick<Addresses, 'publicUrl' | 'readerUrl'>,
): Presented {
  const location = `${publicUrl}/v1/orgs/${site.organizationId}/sites/${site.id}`
  const plan = { plan: site.type, frozen: false }
  return {
    object: 'site',
    id: site.id,
    type: site.type,
    appliedType: site.type,
    title: site.title,
    ...(site.favicon && Object.keys(site.favicon).length > 0 && { icon: site.favicon as SiteIcon }),
    visibility: site.visibility,
    defaultLevel: 'inherit',
    permissions: visitorPermissions,
    published: site.published,
    siteSpaces,
    createdAt: site.createdAt.toISOString(),
    adaptiveContent: { enabled: site.adaptiveContent },
    agentsContext: site.agentsContext,
    features: siteFeatures.ids.map(id => ({ id, ...plan, ...(id === withCustomizations && { customizations }) })),
    urls: {
      location,
      app: `${publicUrl}/o/${site.organizationId}/sites/${site.id}`,
      ...(site.published && { published: address }),
      // Without a reader, the API says why there is no preview.
      preview: previewAddress(site, { readerUrl }) ?? `${location}/publishing/preview`,
    },
  }
}

type SiteIcon = NonNullable<Presented['icon']>

const withCustomizations = 'sites-advanced-customization'
const customizations = [...siteFeatures.customizations]
