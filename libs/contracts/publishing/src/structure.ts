import { z } from 'zod'
import { empty, Id, list, page, templateExamples, text, endpoints, onResource } from '@recto/contracts-shared'
import { SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from './site.ts'
import {
  AddGroup,
  AddSection,
  AddSiteSpace,
  DuplicateSiteSpace,
  UpdateGroup,
  UpdateSection,
  UpdateSiteSpace,
} from './structure-bodies.ts'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'
const shareKey = text().optional().describe('Key of a share link: published URLs lead through it')

/** The target of a position or of a moved item. */
export const StructurePointer = z
  .object({ type: z.enum(['site-space', 'site-section', 'site-section-group', 'site-external-link']), id: Id })
  .meta({ id: 'SiteStructurePointer', description: 'A part of the structure of a site' })

const anchors = <Pointer extends z.ZodType>(Pointer: Pointer) =>
  z.object({ before: Pointer.optional(), after: Pointer.optional() })

const SectionPointer = z
  .object({ type: z.literal('site-section'), siteSection: Id })
  .meta({ id: 'SiteSectionPointer', description: 'A section of the site' })
const GroupPointer = z
  .object({ type: z.enum(['site-section', 'site-section-group']), id: Id })
  .meta({ id: 'SiteSectionOrGroupPointer', description: 'A section or group of the site' })
const SpacePointer = z
  .object({ type: z.literal('site-space'), siteSpace: Id })
  .meta({ id: 'SiteSpacePointer', description: 'A space of the site' })

const toTheEnd = 'Between `before` and `after`, which are neighbours where both are given; to the end without any'

const MoveSection = z
  .object({ position: anchors(SectionPointer).optional().describe(toTheEnd) })
  .meta({ id: 'MoveSiteSection', description: 'Where a section moves' })
const MoveGroup = z
  .object({ position: anchors(GroupPointer).optional().describe(toTheEnd) })
  .meta({ id: 'MoveSiteSectionGroup', description: 'Where a group moves' })
const MoveSiteSpace = z
  .object({ position: anchors(SpacePointer).optional().describe(toTheEnd) })
  .meta({ id: 'MoveSiteSpace', description: 'Where a space of a site moves' })
const SortStructure = z
  .object({ item: StructurePointer, position: anchors(StructurePointer).describe(toTheEnd) })
  .meta({ id: 'SortSiteStructure', description: 'A part of the site to move, and where' })

const AddSectionToGroup = z
  .object({ sectionId: Id })
  .meta({ id: 'AddSectionToGroup', description: 'A section to put into a group' })

/** Sections of sites. */
export const siteSections = endpoints({
  listSiteSections: {
    route: `GET ${sitePath}/sections`,
    summary: 'List the sections of a site, in their order',
    query: page.extend({ shareKey }),
    reply: list(SiteSection),
    errors: ['not_found'],
    access: onResource('read'),
  },
  addSectionToSite: {
    route: `POST ${sitePath}/sections`,
    summary: 'Add a section to a site',
    description: 'The spaces of a site without sections become its first section.',
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
    body: UpdateSection,
    reply: SiteSection,
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
    examples: [
      { body: { title: 'Ours' } },
      { body: { defaultSiteSpace: '{siteSpaceId}' } },
      { body: { siteSectionGroupId: '{siteSectionGroupId}' } },
    ],
  },
  deleteSiteSectionById: {
    route: `DELETE ${sitePath}/sections/{siteSectionId}`,
    summary: 'Delete a section from a site; its spaces stay',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: onResource('create'),
  },
  moveSiteSection: {
    route: `POST ${sitePath}/sections/{siteSectionId}/move`,
    summary: 'Move a section beside others',
    body: MoveSection,
    request: { optionalBody: true },
    reply: SiteSection,
    isIdempotent: true,
    errors: ['not_found'],
    access: onResource('create'),
    examples: [
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
    query: page,
    reply: list(SiteSectionGroup),
    errors: ['not_found'],
    access: onResource('read'),
  },
  addSectionGroupToSite: {
    route: `POST ${sitePath}/section-groups`,
    summary: 'Add a group of sections',
    body: AddGroup,
    reply: SiteSectionGroup,
    creates: 'resource',
    errors: ['not_found'],
    access: onResource('create'),
    examples: [{ body: { title: 'More', sections: ['{siteSectionId}'], parent: '{siteSectionGroupId}' } }],
  },
  updateSiteSectionGroupById: {
    route: `PATCH ${sitePath}/section-groups/{siteSectionGroupId}`,
    summary: 'Update a group of sections',
    body: UpdateGroup,
    reply: SiteSectionGroup,
    errors: ['not_found'],
    access: onResource('create'),
    examples: [{ body: { title: 'Ours' } }, { body: { parentSectionGroupId: '{siteSectionGroupId}' } }],
  },
  deleteSiteSectionGroupById: {
    route: `DELETE ${sitePath}/section-groups/{siteSectionGroupId}`,
    summary: 'Delete a group; what is in it takes its place',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: onResource('create'),
  },
  addSectionToGroup: {
    route: `POST ${sitePath}/section-groups/{siteSectionGroupId}/sections`,
    summary: 'Put a section at the end of a group',
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
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: onResource('create'),
  },
  moveSiteSectionGroup: {
    route: `POST ${sitePath}/section-groups/{siteSectionGroupId}/move`,
    summary: 'Move a group beside sections or other groups',
    body: MoveGroup,
    request: { optionalBody: true },
    reply: SiteSectionGroup,
    isIdempotent: true,
    errors: ['not_found'],
    access: onResource('create'),
    examples: [
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
    query: z.object({ shareKey }),
    reply: SiteStructure,
    errors: ['not_found'],
    access: onResource('read'),
  },
  sortSiteStructure: {
    route: `PATCH ${sitePath}/structure/sort`,
    summary: 'Move a space, section, group or link of a site beside others',
    body: SortStructure,
    reply: z
      .union([SiteSpace, SiteSection, SiteSectionGroup, SiteExternalLink])
      .meta({ id: 'SiteStructureItem', description: 'A part of the structure of a site' }),
    errors: ['not_found'],
    access: onResource('create'),
    examples: [
      { body: { item: { type: 'site-space', id: '{siteSpaceId}' }, position: {} } },
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
    body: UpdateSiteSpace,
    reply: SiteSpace,
    errors: ['not_found', 'conflict'],
    access: onResource('create'),
    examples: [{ body: { spaceId: '{spaceId}' } }, { body: { pageId: '{pageId}' } }],
  },
  duplicateSiteSpace: {
    route: `POST ${sitePath}/site-spaces/{siteSpaceId}/duplicate`,
    summary: 'Copy the space of a site, and show the copy beside it',
    description: 'The copy of the only variant of a section is in a new section; any other is a variant beside it.',
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
    reply: empty,
    status: 204,
    errors: ['not_found'],
    access: onResource('create'),
  },
  moveSiteSpace: {
    route: `POST ${sitePath}/site-spaces/{siteSpaceId}/move`,
    summary: 'Move a space of a site beside others',
    body: MoveSiteSpace,
    request: { optionalBody: true },
    reply: SiteSpace,
    isIdempotent: true,
    errors: ['not_found'],
    access: onResource('create'),
    examples: [
      { body: {} },
      { body: { position: { before: { type: 'site-space', siteSpace: '{siteSpaceId}' } } } },
      { body: { position: { after: { type: 'site-space', siteSpace: '{siteSpaceId}' } } } },
    ],
  },
})
