import { siteFeatures, type Site } from '@recto/contracts'
import type { z } from 'zod'
import { addressOf, hostOf } from '../shared/addresses.rules.ts'
import type { SiteView } from './sites.repository.ts'

/** Where the API, the application and the sites of the installation are. */
export interface Addresses {
  publicUrl: string
  sitesUrl: string
}

/** A site as the API shows it; with the number of its spaces. */
export function presentSite(site: SiteView, addresses: Addresses): z.input<typeof Site> {
  const { publicUrl, sitesUrl } = addresses
  const plan = { plan: site.type, frozen: false }
  return {
    object: 'site',
    id: site.id,
    type: site.type,
    title: site.title,
    ...(site.favicon && Object.keys(site.favicon).length > 0 && { icon: site.favicon as SiteIcon }),
    ...(site.hostname !== null && { hostname: site.hostname }),
    basename: site.basename,
    ...(site.proxy !== null && { proxy: { origin: site.proxy, target: hostOf(site, sitesUrl) } }),
    visibility: site.visibility,
    published: site.published,
    siteSpaces: site.siteSpaces,
    createdAt: site.createdAt.toISOString(),
    adaptiveContent: { enabled: site.adaptiveContent },
    agentsContext: site.agentsContext,
    features: siteFeatures.ids.map(id => ({ id, ...plan, ...(id === withCustomizations && { customizations }) })),
    urls: {
      location: `${publicUrl}/v1/orgs/${site.organizationId}/sites/${site.id}`,
      app: `${publicUrl}/o/${site.organizationId}/sites/${site.id}`,
      ...(site.published && { published: addressOf(site, sitesUrl) }),
    },
  }
}

type SiteIcon = NonNullable<z.input<typeof Site>['icon']>

const withCustomizations = 'sites-advanced-customization'
const customizations = [...siteFeatures.customizations]
