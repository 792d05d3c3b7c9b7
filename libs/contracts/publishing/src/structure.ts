import { empty, list, page, templateExamples, text, endpoints, onResource } from '@recto/contracts-shared'
import { SiteSection, SiteSectionGroup } from './site.ts'
import {
  AddGroup,
  AddSection,
  AddSectionToGroup,
  MoveGroup,
  MoveSection,
  UpdateGroup,
  UpdateSection,
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
    scope: 'site:read',
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
    records: ['site.section.added', 'site.space.added', 'site.space.updated'],
    scope: 'site:write',
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
    records: ['site.section.updated', 'site.space.updated'],
    scope: 'site:write',
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
    records: ['site.section.removed', 'site.space.removed', 'site.section.updated'],
    scope: 'site:write',
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
    records: ['site.section.updated'],
    scope: 'site:write',
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
    scope: 'site:read',
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
    records: ['site.section-group.added', 'site.section.updated', 'site.section-group.updated'],
    scope: 'site:write',
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
    records: ['site.section-group.updated'],
    scope: 'site:write',
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
    records: [
      'site.section-group.removed',
      'site.section.updated',
      'site.section-group.updated',
      'site.external-link.updated',
    ],
    scope: 'site:write',
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
    records: ['site.section.updated'],
    scope: 'site:write',
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
    records: ['site.section.updated'],
    scope: 'site:write',
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
    records: ['site.section-group.updated'],
    scope: 'site:write',
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
