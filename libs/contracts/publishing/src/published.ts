import { z } from 'zod'
import { text, endpoints, readersAndVisitors } from '@recto/contracts-shared'
import { SiteCustomizationSettings } from './customization.ts'
import { SiteIntegrationScript } from './redirects.ts'
import { Site, SiteStructure } from './site.ts'

/** Everything that a reader needs to show a site, besides its content. */
export const PublishedSite = z
  .object({
    object: z.literal('published-content-site'),
    site: Site,
    structure: SiteStructure,
    customizations: z.object({
      site: SiteCustomizationSettings,
      siteSpaces: z.record(z.string(), SiteCustomizationSettings).describe('By the id of the site space'),
    }),
    scripts: z.array(SiteIntegrationScript),
  })
  .meta({ id: 'PublishedContentSite', description: 'What a reader needs to show a site' })

/** Operations that readers of published sites call for the site itself. */
export const publishedSites = endpoints({
  getPublishedContentSite: {
    route: 'GET /orgs/{organizationId}/sites/{siteId}/published',
    summary: 'Get a published site with what it shows and how it looks',
    description: 'With the token of a visitor: without what their claims do not let through.',
    query: z.object({
      shareKey: text().optional().describe('Key of a share link: published URLs lead through it'),
    }),
    reply: PublishedSite,
    errors: ['not_found'],
    scope: 'site:read',
    access: readersAndVisitors,
  },
})
