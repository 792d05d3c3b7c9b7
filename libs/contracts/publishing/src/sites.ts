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
    description: 'The newest come first, published or not. `siteSpaces` counts the spaces of it that you can read.',
    query: page.extend({
      space: Id.optional().describe('List only sites that show this space'),
      title: text({ max: 512 }).optional().describe('Part of the title; case is ignored'),
      published: z.enum(['true', 'false']).optional(),
      type: repeated(SiteType, 6).optional(),
    }),
    reply: list(Site),
    errors: ['not_found'],
    scope: 'site:read',
    access: { ...guests, limited: 'filtered' },
    examples: [{}, { query: { space: '{spaceId}' }, ignores: ['spaceId'] }],
  },
  createSite: {
    route: 'POST /orgs/{organizationId}/sites',
    summary: 'Create a site',
    description:
      'It is not published yet, and gets a basename from its title. Without `spaces` it shows none and creates none. Each space that it shows needs the role `create` on that space (403).',
    body: CreateSite,
    request: { optionalBody: true },
    reply: Site,
    creates: 'resource',
    errors: ['not_found'],
    records: ['site.created'],
    scope: 'site:write',
    access: inOrganization('create'),
    examples: [{ body: { title: 'Product docs', visibility: 'unlisted', spaces: ['{spaceId}'] } }],
  },
  getSiteById: {
    route: 'GET /orgs/{organizationId}/sites/{siteId}',
    summary: 'Get a site',
    description:
      '`urls.published` is there while it is published, and leads through a share link where the site is shared by links.',
    reply: Site,
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
  updateSiteById: {
    route: 'PATCH /orgs/{organizationId}/sites/{siteId}',
    summary: 'Update a site',
    description:
      'Fields that are left out stay, and `null` clears. A basename, hostname or proxy that is taken is refused (409); a hostname may have to be proven first. Changing `visibility` or `adaptiveContent` of a published site ends the visits of all who read it.',
    body: UpdateSite,
    reply: Site,
    errors: ['not_found', 'conflict'],
    records: [
      'site.updated',
      'site.hostname.updated',
      'site.permissions.updated',
      'site.space.updated',
      'site.section.updated',
    ],
    scope: 'site:write',
    access: onResource('create'),
    examples: [
      { body: { title: 'Product docs', defaultLevel: 'inherit', agentsContext: 'included' } },
      { body: { defaultSiteSpace: '{siteSpaceId}' } },
      { body: { defaultSiteSection: '{siteSectionId}' } },
    ],
  },
  deleteSiteById: {
    route: 'DELETE /orgs/{organizationId}/sites/{siteId}',
    summary: 'Delete a site; its spaces stay',
    description: 'Its addresses lead nowhere any more, and visits end. A site that you do not see is left as it is.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.deleted'],
    scope: 'site:write',
    access: { may: 'admin', sees: 'read', unseen: 'unaffected' },
  },
  applyTemplateToSite: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/template',
    summary: 'Fill an empty site with sections of sample pages',
    description:
      'Three sections with a new space each, live at once where the site is published. A site that shows something is refused (409). Its look stays.',
    reply: empty,
    creates: 'effect',
    errors: ['not_found', 'conflict'],
    records: ['site.section.added', 'site.space.added'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [{ answers: 409 }],
  },
  publishSite: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/publish',
    summary: 'Publish a site to the audience of its visibility',
    description:
      'Shows what is live of it, and drafts to nobody but those who preview it. A site with drafts only is refused (409), and one that is published stays so. Readers that keep pages are told.',
    reply: Site,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    records: ['site.published'],
    scope: 'site:publish',
    access: onResource('create'),
  },
  unpublishSite: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/unpublish',
    summary: 'Unpublish a site: nobody reads it any more, at once',
    description:
      'Tokens of its visitors end, and its addresses lead nowhere. What it shows and its settings stay for the next time.',
    reply: Site,
    isIdempotent: true,
    errors: ['not_found'],
    records: ['site.unpublished'],
    scope: 'site:publish',
    access: onResource('create'),
    examples: [{ params: { siteId: '{ownSiteId}' } }],
  },
})
