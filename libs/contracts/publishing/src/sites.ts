import { z } from 'zod'
import {
  DefaultLevel,
  empty,
  guests,
  Id,
  list,
  page,
  repeated,
  SiteVisibility,
  text,
  endpoints,
  inOrganization,
  onResource,
} from '@recto/contracts-shared'
import { AgentsContext, Site, SiteTitle, SiteType, siteLimits } from './site.ts'

const maxSpaces = 100
const maxHostnameLength = 512

const CreateSite = z
  .object({
    type: SiteType.default('basic').describe('Limits nothing'),
    title: SiteTitle.optional(),
    visibility: SiteVisibility.default('public'),
    spaces: z
      .union([z.array(Id).max(maxSpaces), z.enum(['sample', 'empty'])])
      .default([])
      .describe('Ids of spaces to show; `sample` or `empty` creates a new one'),
  })
  .meta({ id: 'CreateSite', description: 'A site to create' })

const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const hostname = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/
const proxyOrigin = /^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/

/** Whether URLs have a host as it is written: labels that begin with `xn--` are Punycode (RFC 3492), and it is no IP address in disguise. */
function isUrlHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host.toLowerCase()
}

const UpdateSite = z
  .object({
    title: SiteTitle.optional(),
    visibility: SiteVisibility.optional(),
    basename: text({ min: 1, max: siteLimits.maxPath })
      .refine(
        name => dnsLabel.test(name) && isUrlHost(`${name}.test`),
        'must be a part of a hostname: lower-case letters, digits and -',
      )
      .optional(),
    hostname: text({ max: maxHostnameLength })
      .refine(
        name => hostname.test(name) && isUrlHost(name),
        'must be a hostname of three parts or more, in lower case',
      )
      .nullable()
      .optional()
      .describe(
        'Hostname of its own; null removes it. Where the installation asks for a proof, the site is shown there when that is given (`GET /custom-hostnames/{hostname}`): until then it stays where it was, and other organizations may claim the hostname, too',
      ),
    adaptiveContent: z.object({ enabled: z.boolean() }).optional(),
    defaultLevel: DefaultLevel.optional().describe('The role of members without a grant; null closes the site to them'),
    agentsContext: AgentsContext.optional(),
    defaultSiteSpace: Id.optional().describe('Shown at the root of the site, or of its default section'),
    defaultSiteSection: Id.optional(),
    proxy: text({ max: maxHostnameLength })
      .refine(
        origin => proxyOrigin.test(origin) && isUrlHost(origin.split('/')[0] ?? ''),
        'must be a host with a path, such as example.com/docs',
      )
      .nullable()
      .optional()
      .describe('Host and path below which another server shows the site; null removes it'),
  })
  .meta({ id: 'UpdateSite', description: 'Fields of a site to update' })

/** Operations on sites. */
export const sites = endpoints({
  listSites: {
    route: 'GET /orgs/{organizationId}/sites',
    summary: 'List the sites of an organization that you see',
    query: page.extend({
      space: Id.optional().describe('List only sites that show this space'),
      title: text({ max: 512 }).optional().describe('Part of the title; case is ignored'),
      published: z.enum(['true', 'false']).optional(),
      type: repeated(SiteType, 6).optional(),
    }),
    reply: list(Site),
    errors: ['not_found'],
    access: guests,
    examples: [{ query: { space: '{spaceId}' }, ignores: ['spaceId'] }],
  },
  createSite: {
    route: 'POST /orgs/{organizationId}/sites',
    summary: 'Create a site',
    body: CreateSite,
    request: { optionalBody: true },
    reply: Site,
    creates: 'resource',
    errors: ['not_found'],
    access: inOrganization('create'),
    examples: [{ body: { spaces: ['{spaceId}'] } }],
  },
  getSiteById: {
    route: 'GET /orgs/{organizationId}/sites/{siteId}',
    summary: 'Get a site',
    reply: Site,
    errors: ['not_found'],
    access: onResource('read'),
  },
  updateSiteById: {
    route: 'PATCH /orgs/{organizationId}/sites/{siteId}',
    summary: 'Update a site',
    body: UpdateSite,
    reply: Site,
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
    examples: [
      { body: { title: 'Ours' } },
      { body: { defaultSiteSpace: '{siteSpaceId}' } },
      { body: { defaultSiteSection: '{siteSectionId}' } },
    ],
  },
  deleteSiteById: {
    route: 'DELETE /orgs/{organizationId}/sites/{siteId}',
    summary: 'Delete a site; its spaces stay',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: { may: 'admin', sees: 'read', unseen: 'unaffected' },
  },
  applyTemplateToSite: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/template',
    summary: 'Fill an empty site with sections of sample pages',
    description: 'Refused for a site that shows something. It keeps its look.',
    reply: empty,
    creates: 'effect',
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
    examples: [{ answers: 409 }],
  },
  publishSite: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/publish',
    summary: 'Publish a site to the audience of its visibility',
    reply: Site,
    isIdempotent: true,
    errors: ['not_found'],
    access: onResource('create'),
  },
  unpublishSite: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/unpublish',
    summary: 'Unpublish a site: nobody reads it any more, at once',
    reply: Site,
    isIdempotent: true,
    errors: ['not_found'],
    access: onResource('create'),
    examples: [{ params: { siteId: '{ownSiteId}' } }],
  },
})
