import { operations } from '@recto/operation'
import { z } from 'zod'
import { empty, Id, list, page, Role, text, Url, User } from '@recto/contracts-shared'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'
const sourcePattern = /^\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)*$/

/** A path of a site that leads elsewhere on it. */
export const SiteRedirectSource = text({ min: 1, max: 512 })
  .refine(source => sourcePattern.test(source), 'must be a path such as /old/page, encoded, without a slash at its end')
  .describe('Path below the address of the site')

/** Where a redirect leads: a part of the structure of its site, or a page in it. */
export const SiteRedirectDestination = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('site-section'), siteSectionId: Id }),
    z.object({ kind: z.literal('site-space'), siteSpaceId: Id }),
    z.object({ kind: z.literal('site-page'), siteSpaceId: Id, pageId: Id }),
  ])
  .meta({ id: 'SiteRedirectDestination', description: 'Where a redirect leads' })

/** A path of a site that leads elsewhere on it. */
export const SiteRedirect = z
  .object({
    object: z.literal('site-redirect'),
    id: Id,
    source: z.string(),
    destination: SiteRedirectDestination,
  })
  .meta({ id: 'SiteRedirect', description: 'A path of a site that leads elsewhere on it' })

const CreateSiteRedirect = z
  .object({ source: SiteRedirectSource, destination: SiteRedirectDestination })
  .meta({ id: 'CreateSiteRedirect', description: 'A redirect to create' })

const UpdateSiteRedirect = z
  .object({ source: SiteRedirectSource.optional(), destination: SiteRedirectDestination.optional() })
  .refine(fields => Object.values(fields).some(value => value !== undefined), 'must have at least one field')
  .meta({ id: 'UpdateSiteRedirect', description: 'Fields of a redirect to update' })

/** Redirects of sites. */
export const siteRedirects = operations({
  createSiteRedirect: {
    route: `POST ${sitePath}/redirects`,
    summary: 'Create a redirect',
    body: CreateSiteRedirect,
    reply: SiteRedirect,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
  },
  listSiteRedirects: {
    route: `GET ${sitePath}/redirects`,
    summary: 'List the redirects of a site, the newest first',
    query: page.extend({ search: text({ max: 512 }).optional().describe('Part of the source; case is ignored') }),
    reply: list(SiteRedirect),
    errors: ['not_found'],
  },
  updateSiteRedirectById: {
    route: `PATCH ${sitePath}/redirects/{siteRedirectId}`,
    summary: 'Update a redirect',
    body: UpdateSiteRedirect,
    reply: SiteRedirect,
    errors: ['not_found', 'conflict'],
  },
  deleteSiteRedirectById: {
    route: `DELETE ${sitePath}/redirects/{siteRedirectId}`,
    summary: 'Delete a redirect',
    reply: empty,
    status: 204,
    errors: ['not_found'],
  },
})

/** A script that an integration adds to a site; there are no integrations. */
export const SiteIntegrationScript = z
  .object({ script: Url, contentSecurityPolicy: z.string().optional(), cookies: z.boolean() })
  .meta({ id: 'SiteIntegrationScript', description: 'A script that an integration adds to a site' })

const UserSitePermission = z
  .object({
    permission: Role.nullable(),
    user: User,
    origin: z.object({ type: z.literal('organization'), organization: Id }),
  })
  .meta({ id: 'UserSitePermission', description: 'The role of a user on a site, and where it comes from' })

/** Operations for those who manage sites. */
export const siteManagement = operations({
  listSiteIntegrationScripts: {
    route: `GET ${sitePath}/integration-scripts`,
    summary: 'List the scripts of integrations: none, because integrations do not exist here',
    reply: z.array(SiteIntegrationScript),
    errors: ['not_found'],
  },
  listPermissionsAggregateInSite: {
    route: `GET ${sitePath}/permissions/aggregate`,
    summary: 'List all users who see a site with its settings, with their role in the organization',
    query: page,
    reply: list(UserSitePermission),
    errors: ['not_found'],
  },
})
