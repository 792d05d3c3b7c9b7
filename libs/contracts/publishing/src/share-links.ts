import { z } from 'zod'
import { empty, Id, list, page, text, Timestamp, Url, endpoints, onResource } from '@recto/contracts-shared'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'
const Name = text({ max: 50 })

/** A secret link to a site. */
export const ShareLink = z
  .object({
    object: z.literal('share-link'),
    id: Id,
    createdAt: Timestamp,
    name: z.string().optional(),
    active: z.boolean().optional(),
    urls: z.object({ published: Url.optional().describe('The secret link, while the site is published') }),
  })
  .meta({ id: 'ShareLink', description: 'A secret link to a site' })

const CreateShareLink = z.object({ name: Name }).meta({ id: 'CreateShareLink', description: 'A share link to create' })

const UpdateShareLink = z
  .object({
    active: z.boolean().optional().describe('An inactive link leads nowhere'),
    name: Name.optional(),
  })
  .refine(({ active, name }) => active !== undefined || name !== undefined, 'must have at least one field')
  .meta({ id: 'UpdateShareLink', description: 'Fields of a share link to update' })

/** Secret links to sites. */
export const shareLinks = endpoints({
  listSiteShareLinks: {
    route: `GET ${sitePath}/share-links`,
    summary: 'List the share links of a site',
    description:
      'The newest come first. A link opens the site to whoever knows it, so they are listed for those only who may create some.',
    query: page.extend({
      search: text({ max: 512 }).optional().describe('Part of the name, in any case, or of the key'),
    }),
    reply: list(ShareLink),
    errors: ['not_found'],
    scope: 'site:auth:read',
    access: onResource('create'),
  },
  createSiteShareLink: {
    route: `POST ${sitePath}/share-links`,
    summary: 'Create a share link',
    description: 'Its URL is there while the site is published, and counts while `visibility` is `share-link`.',
    body: CreateShareLink,
    reply: ShareLink,
    creates: 'resource',
    errors: ['not_found'],
    records: ['site.share-link.created'],
    scope: 'site:auth:write',
    access: onResource('create'),
    examples: [{ body: { name: 'Partners' } }],
  },
  updateSiteShareLinkById: {
    route: `PATCH ${sitePath}/share-links/{shareLinkId}`,
    summary: 'Rename, revoke or reactivate a share link',
    description:
      'Revoking it (`active: false`) ends the visits of everybody on the site, as it is not known who came by which link. A new name ends nothing.',
    body: UpdateShareLink,
    reply: ShareLink,
    errors: ['not_found'],
    records: ['site.share-link.updated'],
    scope: 'site:auth:write',
    access: onResource('create'),
    examples: [{ body: { name: 'Partners' } }],
  },
  deleteSiteShareLinkById: {
    route: `DELETE ${sitePath}/share-links/{shareLinkId}`,
    summary: 'Delete a share link',
    description:
      'Deleting an active link ends the visits of everybody on the site. A link that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.share-link.deleted'],
    scope: 'site:auth:write',
    access: onResource('create'),
  },
})
