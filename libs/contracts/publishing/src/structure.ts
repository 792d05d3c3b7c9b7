import { z } from 'zod'
import { empty, list, page, templateExamples, text, endpoints, onResource } from '@recto/contracts-shared'
import { SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from './site.ts'
import {
  AddGroup,
  AddSection,
  AddSectionToGroup,
  AddSiteSpace,
  DuplicateSiteSpace,
  MoveGroup,
  MoveSection,
  MoveSiteSpace,
  SortStructure,
  UpdateGroup,
  UpdateSection,
  UpdateSiteSpace,
} from './structure-bodies.ts'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'
const shareKey = text().optional().describe('Key of a share link: published URLs lead through it')

/** Sections of sites. */
export const siteSections = endpoints({
  listSiteSections: {
    route: `GET ${sitePath}/sections`,
    summary: 'List the sections of a site, in their order',
    description:
      'A site without sections has none, and shows its spaces as variants. In each section are the spaces that you can read.',
    query: page.extend({ shareKey }),
    reply: list(SiteSection),
    errors: ['not_found'],
    access: onResource('read'),
  },
  addSectionToSite: {
    route: `POST ${sitePath}/sections`,
    summary: 'Add a section to a site',
    description:
      'It goes to the end of the site, or of a group, with a path made from its title. The spaces of a site without sections become its first section, and a site shows at most 250 spaces (409). Needs the role `create` on the space that it shows; without one (`spaceId: null`) a space is created.',
    body: AddSection,
    reply: SiteSection,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
    examples: [
      { body: { spaceId: '{spaceId}', siteSectionGroupId: '{siteSectionGroupId}' } },
      { body: { spaceId: '{spaceId}', pageId: '{pageId}' } },
      ...templateExamples.map(template => ({ body: { spaceId: null, template } })),
    ],
  },
  updateSiteSectionById: {
    route: `PATCH ${sitePath}/sections/{siteSectionId}`,
    summary: 'Update a section',
    description:
      'Fields that are left out stay, and `null` clears. A `path` that another section has is refused (409). Making a draft live publishes its spaces, which needs the role `create` on each (403).',
    body: UpdateSection,
    reply: SiteSection,
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
    examples: [
      { body: { title: 'Guides', icon: 'book' } },
      { body: { defaultSiteSpace: '{siteSpaceId}' } },
      { body: { siteSectionGroupId: '{siteSectionGroupId}' } },
    ],
  },
  deleteSiteSectionById: {
    route: `DELETE ${sitePath}/sections/{siteSectionId}`,
    summary: 'Delete a section from a site; its spaces stay',
    description: 'With the default section gone, the next one is the default. A section that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: onResource('create'),
  },
  moveSiteSection: {
    route: `POST ${sitePath}/sections/{siteSectionId}/move`,
    summary: 'Move a section beside others',
    description:
      'Beside a section of a group it moves into that group. A `before` and an `after` that are no neighbours are refused (400).',
    body: MoveSection,
    request: { optionalBody: true },
    reply: SiteSection,
    isIdempotent: true,
    errors: ['not_found'],
    access: onResource('create'),
    examples: [
      {
        params: { siteSectionId: '{ownSiteSectionId}' },
        body: { position: { before: { type: 'site-section', siteSection: '{siteSectionId}' } } },
      },
      { body: {} },
      { body: { position: { before: { type: 'site-section', siteSection: '{siteSectionId}' } } } },
      { body: { position: { after: { type: 'site-section', siteSection: '{siteSectionId}' } } } },
    ],
  },
})

/** Groups of sections. */
export const siteSectionGroups = endpoints({
  listSiteSectionGroups: {
    route: `GET ${sitePath}/section-groups`,
    summary: 'List the section groups of a site',
    description: 'In their order on the site, each with everything that is in it.',
    query: page,
    reply: list(SiteSectionGroup),
    errors: ['not_found'],
    access: onResource('read'),
  },
  addSectionGroupToSite: {
    route: `POST ${sitePath}/section-groups`,
    summary: 'Add a group of sections',
    description:
      'It goes to the end of the site, or of `parent`; the sections leave where they were and come in the order of the list.',
    body: AddGroup,
    reply: SiteSectionGroup,
    creates: 'resource',
    errors: ['not_found'],
    access: onResource('create'),
    examples: [{ body: { title: 'Reference', sections: ['{siteSectionId}'], parent: '{siteSectionGroupId}' } }],
  },
  updateSiteSectionGroupById: {
    route: `PATCH ${sitePath}/section-groups/{siteSectionGroupId}`,
    summary: 'Update a group of sections',
    description:
      'Fields that are left out stay, and `null` clears. A group cannot move into itself (400). What is in a draft is a draft, too; making it live publishes its spaces, which needs the role `create` on each (403).',
    body: UpdateGroup,
    reply: SiteSectionGroup,
    errors: ['not_found'],
    access: onResource('create'),
    examples: [
      { body: { title: 'Reference', icon: 'book' } },
      { body: { parentSectionGroupId: '{siteSectionGroupId}' } },
    ],
  },
  deleteSiteSectionGroupById: {
    route: `DELETE ${sitePath}/section-groups/{siteSectionGroupId}`,
    summary: 'Delete a group; what is in it takes its place',
    description: 'What is in it keeps its order. A group that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: onResource('create'),
  },
  addSectionToGroup: {
    route: `POST ${sitePath}/section-groups/{siteSectionGroupId}/sections`,
    summary: 'Put a section at the end of a group',
    description: 'It leaves the group that it was in. One that is in this group already stays at its place.',
    body: AddSectionToGroup,
    reply: SiteSectionGroup,
    creates: 'resource',
    errors: ['not_found'],
    access: onResource('create'),
    examples: [{ body: { sectionId: '{siteSectionId}' } }],
  },
  removeSectionFromGroup: {
    route: `DELETE ${sitePath}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}`,
    summary: 'Take a section out of a group, to the place behind it',
    description: 'A section that is not in it stays where it is.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: onResource('create'),
  },
  moveSiteSectionGroup: {
    route: `POST ${sitePath}/section-groups/{siteSectionGroupId}/move`,
    summary: 'Move a group beside sections or other groups',
    description:
      'All that is in it moves along. Beside something in another group it moves into that group, but never into itself (400).',
    body: MoveGroup,
    request: { optionalBody: true },
    reply: SiteSectionGroup,
    isIdempotent: true,
    errors: ['not_found'],
    access: onResource('create'),
    examples: [
      {
        params: { siteSectionGroupId: '{ownSiteSectionGroupId}' },
        body: { position: { after: { type: 'site-section-group', id: '{siteSectionGroupId}' } } },
      },
      { body: {} },
      { body: { position: { before: { type: 'site-section', id: '{siteSectionId}' } } } },
      { body: { position: { after: { type: 'site-section-group', id: '{siteSectionGroupId}' } } } },
    ],
  },
})

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
