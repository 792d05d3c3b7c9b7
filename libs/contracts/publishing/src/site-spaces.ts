import { z } from 'zod'
import { empty, list, page, templateExamples, text, endpoints, onResource } from '@recto/contracts-shared'
import { SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from './site.ts'
import { AddSiteSpace, DuplicateSiteSpace, MoveSiteSpace, SortStructure, UpdateSiteSpace } from './structure-bodies.ts'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'
const shareKey = text().optional().describe('Key of a share link: published URLs lead through it')

/** Spaces of sites, and the structure as a whole. */
export const siteSpaces = endpoints({
  getSiteStructure: {
    route: `GET ${sitePath}/structure`,
    summary: 'Get everything that a site shows, in its order',
    description:
      'Sections, groups and links of the navigation, or the spaces of a site without sections; with drafts, which visitors do not see. Spaces that you cannot read are left out, and deleted ones.',
    query: z.object({ shareKey }),
    reply: SiteStructure,
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
  sortSiteStructure: {
    route: `PATCH ${sitePath}/structure/sort`,
    summary: 'Move a space, section, group or link of a site beside others',
    description:
      'A space moves beside spaces; sections, groups and links beside one another (400). Beside something in another section or group it moves there, without neighbours to the end of where it is.',
    body: SortStructure,
    reply: z
      .union([SiteSpace, SiteSection, SiteSectionGroup, SiteExternalLink])
      .meta({ id: 'SiteStructureItem', description: 'A part of the structure of a site' }),
    errors: ['not_found'],
    records: ['site.section.updated', 'site.section-group.updated', 'site.space.updated', 'site.external-link.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [
      {
        body: {
          item: { type: 'site-space', id: '{ownSiteSpaceId}' },
          position: { after: { type: 'site-space', id: '{siteSpaceId}' } },
        },
      },
      { body: { item: { type: 'site-external-link', id: '{siteExternalLinkId}' }, position: {} } },
      ...(['before', 'after'] as const).map(side => ({
        body: {
          item: { type: 'site-section', id: '{siteSectionId}' },
          position: { [side]: { type: 'site-section-group', id: '{siteSectionGroupId}' } },
        },
      })),
    ],
  },
  listSiteSpaces: {
    route: `GET ${sitePath}/site-spaces`,
    summary: 'List the spaces of a site, in their order',
    description: 'With drafts, which visitors do not see. Spaces that you cannot read are left out, and deleted ones.',
    query: page.extend({
      shareKey,
      default: z.enum(['true', 'false']).optional().describe('The default one only, or the others only'),
    }),
    reply: list(SiteSpace),
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
  },
  addSpaceToSite: {
    route: `POST ${sitePath}/site-spaces`,
    summary: 'Add a space to a site',
    description:
      'It goes to the end of a section, with a path made from its title. Needs the role `create` on the space; without one (`spaceId: null`) a space is created. A site shows at most 250 spaces (409).',
    body: AddSiteSpace,
    reply: SiteSpace,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    records: ['site.space.added'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [
      { body: { spaceId: '{spaceId}', sectionId: '{siteSectionId}' } },
      { body: { spaceId: '{spaceId}', pageId: '{pageId}' } },
      ...templateExamples.map(template => ({ body: { spaceId: null, template } })),
    ],
  },
  updateSiteSpaceById: {
    route: `PATCH ${sitePath}/site-spaces/{siteSpaceId}`,
    summary: 'Update a space of a site',
    description:
      'Fields that are left out stay, and `null` clears. A `path` that is taken beside it is refused (409), and a `pageId` that the space does not have (404). Another `spaceId`, and making a draft live, need the role `create` on that space (403).',
    body: UpdateSiteSpace,
    reply: SiteSpace,
    errors: ['not_found', 'conflict'],
    records: ['site.space.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [{ body: { spaceId: '{spaceId}' } }, { body: { pageId: '{pageId}' } }],
  },
  duplicateSiteSpace: {
    route: `POST ${sitePath}/site-spaces/{siteSpaceId}/duplicate`,
    summary: 'Copy the space of a site, and show the copy beside it',
    description:
      'The copy has all that is set for it on the site, such as its conditions. The copy of the only variant of a section is in a new section; any other is a variant beside it. A site shows at most 250 spaces (409).',
    body: DuplicateSiteSpace,
    request: { optionalBody: true },
    reply: SiteSpace,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    records: ['site.space.added'],
    scope: 'site:write',
    access: onResource('create'),
  },
  deleteSiteSpaceById: {
    route: `DELETE ${sitePath}/site-spaces/{siteSpaceId}`,
    summary: 'Remove a space from a site; the space stays',
    description:
      'A section without another space goes with it; where it was the default, the next space is. A space that the site does not show is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.space.removed', 'site.space.updated'],
    scope: 'site:write',
    access: onResource('create'),
  },
  moveSiteSpace: {
    route: `POST ${sitePath}/site-spaces/{siteSpaceId}/move`,
    summary: 'Move a space of a site beside others',
    description:
      'Beside a space of another section it moves there, with a free path; a section that it leaves stays, even without spaces. A `before` and an `after` that are no neighbours are refused (400).',
    body: MoveSiteSpace,
    request: { optionalBody: true },
    reply: SiteSpace,
    isIdempotent: true,
    errors: ['not_found'],
    records: ['site.space.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [
      {
        params: { siteSpaceId: '{ownSiteSpaceId}' },
        body: { position: { before: { type: 'site-space', siteSpace: '{siteSpaceId}' } } },
      },
      { body: {} },
      { body: { position: { before: { type: 'site-space', siteSpace: '{siteSpaceId}' } } } },
      { body: { position: { after: { type: 'site-space', siteSpace: '{siteSpaceId}' } } } },
    ],
  },
})
