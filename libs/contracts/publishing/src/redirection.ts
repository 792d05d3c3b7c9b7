import { z } from 'zod'
import { text, Url, endpoints, readersAndVisitors } from '@recto/contracts-shared'
import { SiteRedirect, SiteRedirectSource } from './redirect-schemas.ts'

/** Most characters of a query that a redirect keeps. */
export const maxRedirectQuery = 2048

const Redirection = z
  .object({ redirect: SiteRedirect, target: Url.describe('The published URL to go to') })
  .meta({ id: 'SiteRedirection', description: 'Where a path of a site leads' })

/** Operations that readers of published sites call for a path without a page. */
export const siteRedirection = endpoints({
  getSiteRedirectBySource: {
    route: 'GET /orgs/{organizationId}/sites/{siteId}/redirect',
    summary: 'Find where a path of a published site leads',
    description:
      'By a redirect of the site that is no draft (its exact source, else the longest `*`), by one in `.gitbook.yaml` of its space, or because a page, section or space had the path before. With the token of a visitor: to nothing that their claims do not let through.',
    query: z.object({
      shareKey: text().optional().describe('Key of a share link: the target leads through it'),
      source: SiteRedirectSource,
      query: text({ max: maxRedirectQuery })
        .optional()
        .describe(
          'The query of the address, without `?`: the target has it, too, but for parameters that it has itself',
        ),
    }),
    reply: Redirection,
    errors: ['not_found'],
    scope: 'site:read',
    access: readersAndVisitors,
    examples: [{ query: { source: '/old' } }],
  },
})
