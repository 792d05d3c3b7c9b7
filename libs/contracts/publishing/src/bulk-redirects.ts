import { z } from 'zod'
import { endpoints, Id, onResource } from '@recto/contracts-shared'
import {
  captureFault,
  capturesByWildcard,
  SiteRedirectInputDestination,
  SiteRedirectSource,
} from './redirect-schemas.ts'

/** Most redirects that one request changes. */
export const maxBulkRedirects = 500

const PublishRedirect = z
  .strictObject({ source: SiteRedirectSource, intent: z.literal('publish') })
  .meta({ id: 'PublishSiteRedirect', description: 'A draft to make live, in place of the live redirect of its source' })

const UpsertRedirect = z
  .strictObject({
    source: SiteRedirectSource,
    intent: z
      .enum(['live', 'draft'])
      .optional()
      .describe('Whether this is about the live redirect, as when left out, or the draft'),
    captureWildcard: z.boolean().default(false),
    permanent: z.boolean().optional().describe('Left out: as it is, `false` for a new redirect'),
    destination: SiteRedirectInputDestination.nullable().describe('`null` deletes the redirect'),
  })
  .refine(capturesByWildcard, captureFault)
  .meta({ id: 'UpsertSiteRedirect', description: 'A redirect to create, to replace or to delete' })

/** A change of one redirect of a site, found by its source. */
export const BulkSiteRedirect = z
  .discriminatedUnion('intent', [PublishRedirect, UpsertRedirect])
  .meta({ id: 'BulkSiteRedirect', description: 'A change of one redirect, found by its source' })

const saved = { source: z.string(), draft: z.boolean(), id: Id }

const BulkSiteRedirectResult = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('created'), ...saved }),
    z.object({ status: z.literal('updated'), ...saved }),
    z.object({ status: z.literal('published'), ...saved }),
    z.object({ status: z.literal('deleted'), source: z.string(), draft: z.boolean() }),
  ])
  .meta({ id: 'BulkSiteRedirectResult', description: 'What was done to one redirect' })

/** Changes of many redirects of a site at once. */
export const bulkSiteRedirects = endpoints({
  bulkUpsertSiteRedirects: {
    route: 'PUT /orgs/{organizationId}/sites/{siteId}/redirects',
    summary: 'Create, replace, delete or publish redirects of a site',
    description:
      'All or nothing: one faulty change is an error that names its place in the list and its field, and nothing is changed. Each redirect may be changed once: a live one and the draft of the same source are two, and to publish changes both. Fields that a change does not have are refused. The results are in the order of the changes. Deleting what is not there is no fault. A source that another request writes at the same time is refused (409).',
    body: z
      .strictObject({ redirects: z.array(BulkSiteRedirect).min(1).max(maxBulkRedirects) })
      .meta({ id: 'BulkUpsertSiteRedirects', description: 'Changes of redirects' }),
    reply: z
      .object({ results: z.array(BulkSiteRedirectResult) })
      .meta({ id: 'BulkUpsertSiteRedirectsResult', description: 'What was done to each redirect' }),
    errors: ['not_found', 'conflict'],
    records: ['site.redirects.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [
      {
        body: {
          redirects: [
            { source: '/bulk', destination: { kind: 'site-section', siteSectionId: '{siteSectionId}' } },
            { source: '/gone', destination: null },
          ],
        },
      },
      {
        body: {
          redirects: [
            { source: '/p', destination: { kind: 'site-page', siteSpaceId: '{siteSpaceId}', pageId: '{pageId}' } },
          ],
        },
      },
      {
        body: {
          redirects: [{ source: '/q', destination: { kind: 'path', spaceId: '{spaceId}', path: '{pagePath}' } }],
        },
      },
    ],
  },
})
