import { z } from 'zod'
import { empty, flag, list, page, text, Url, endpoints, onResource } from '@recto/contracts-shared'
import {
  captureFault,
  capturesByWildcard,
  SiteRedirect,
  SiteRedirectInputDestination,
  SiteRedirectNextDestination,
  SiteRedirectSource,
} from './redirect-schemas.ts'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'

const CreateSiteRedirect = z
  .strictObject({
    source: SiteRedirectSource,
    destination: SiteRedirectInputDestination,
    draft: z.boolean().default(false),
    captureWildcard: z.boolean().default(false),
    permanent: z.boolean().default(false),
  })
  .refine(capturesByWildcard, captureFault)
  .meta({ id: 'CreateSiteRedirect', description: 'A redirect to create' })

const UpdateSiteRedirect = z
  .strictObject({
    source: SiteRedirectSource.optional(),
    destination: SiteRedirectNextDestination.optional(),
    draft: z.boolean().optional().describe('`false` makes a draft live'),
    captureWildcard: z.boolean().optional(),
    permanent: z.boolean().optional(),
  })
  .refine(fields => Object.values(fields).some(value => value !== undefined), 'must have at least one field')
  .meta({ id: 'UpdateSiteRedirect', description: 'Fields of a redirect to update' })

/** Redirects of sites. */
export const siteRedirects = endpoints({
  createSiteRedirect: {
    route: `POST ${sitePath}/redirects`,
    summary: 'Create a redirect',
    description:
      'Leads to a part of the site, a page in it, or a URL outside. A `source` that another redirect has is refused (409), a destination that is not there is 404 with its field. A `path` as the destination becomes the page that has it now. Fields that a redirect does not have are refused.',
    body: CreateSiteRedirect,
    reply: SiteRedirect,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    records: ['site.redirect.created'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [
      { body: { source: '/unique-name', destination: { kind: 'site-section', siteSectionId: '{siteSectionId}' } } },
      {
        body: { source: '/page', destination: { kind: 'site-page', siteSpaceId: '{siteSpaceId}', pageId: '{pageId}' } },
      },
      { body: { source: '/path', destination: { kind: 'path', spaceId: '{spaceId}', path: '{pagePath}' } } },
    ],
  },
  listSiteRedirects: {
    route: `GET ${sitePath}/redirects`,
    summary: 'List the redirects of a site',
    description:
      'Live redirects, or with `draft=true` drafts, the newest first unless `orderBy` says otherwise. Redirects that follow from renamed pages are not in the list.',
    query: page.extend({
      search: text({ max: 512 }).optional().describe('Part of the source; case is ignored'),
      draft: flag(false).describe('`true` lists the drafts, `false` the live redirects'),
      orderBy: z
        .enum(['createdAt', 'updatedAt', 'source'])
        .default('createdAt')
        .describe('`createdAt` and `updatedAt` list the latest first, `source` in alphabetical order'),
    }),
    reply: list(SiteRedirect),
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
  updateSiteRedirectById: {
    route: `PATCH ${sitePath}/redirects/{siteRedirectId}`,
    summary: 'Update a redirect',
    description:
      'Fields that are left out stay, and fields that a redirect does not have are refused. A `source` that another redirect has is refused (409), a destination that is not there is 404 with its field.',
    body: UpdateSiteRedirect,
    reply: SiteRedirect,
    errors: ['not_found', 'conflict'],
    records: ['site.redirect.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [
      { body: { destination: { kind: 'site-section', siteSectionId: '{siteSectionId}' } } },
      { body: { destination: { kind: 'site-page', siteSpaceId: '{siteSpaceId}', pageId: '{pageId}' } } },
    ],
  },
  deleteSiteRedirectById: {
    route: `DELETE ${sitePath}/redirects/{siteRedirectId}`,
    summary: 'Delete a redirect',
    description: 'Its path leads nowhere, or to what had it before. A redirect that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.redirect.deleted'],
    scope: 'site:write',
    access: onResource('create'),
  },
})

/** A script that an integration adds to a site; there are no integrations. */
export const SiteIntegrationScript = z
  .object({ script: Url, contentSecurityPolicy: z.string().optional(), cookies: z.boolean() })
  .meta({ id: 'SiteIntegrationScript', description: 'A script that an integration adds to a site' })

/** Operations for those who manage sites. */
export const siteManagement = endpoints({
  listSiteIntegrationScripts: {
    route: `GET ${sitePath}/integration-scripts`,
    summary: 'List the scripts of integrations: none, because integrations do not exist here',
    description: 'It is there for clients of the compatible API.',
    reply: z.array(SiteIntegrationScript),
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
})
