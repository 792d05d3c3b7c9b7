import { ApplySpaceTemplate, HttpUrl, Id, text } from '@recto/contracts-shared'
import { z } from 'zod'
import {
  Condition,
  LocalizedDescription,
  LocalizedTitle,
  OptionalIcon,
  siteLimits,
  SitePath,
  SiteTitle,
} from './site.ts'

const Draft = z
  .boolean()
  .describe(
    'Whether visitors do not see it yet; previews show it. Where the default one is a draft, the next in order that is live has its address. On a published site something stays live',
  )
const description = text({ max: siteLimits.maxDescription }).nullable().optional()

const newContent = {
  spaceId: Id.nullable().describe('A space to show; null creates one'),
  template: ApplySpaceTemplate.optional().describe('What a space that is created starts with'),
  draft: Draft.default(false),
}
const HomePage = Id.describe('Page of the space that is at its root on this site, instead of its first one')

interface NewContent {
  spaceId: string | null
  template?: unknown
  pageId?: string | null | undefined
}

/** A template makes a new space, and a page is in an existing one. */
function consistent<Schema extends z.ZodType<NewContent>>(schema: Schema): Schema {
  return schema
    .refine(({ spaceId, template }) => spaceId === null || template === undefined, {
      path: ['template'],
      message: 'must be left out: the space exists',
    })
    .refine(({ spaceId, pageId }) => spaceId !== null || pageId === undefined || pageId === null, {
      path: ['pageId'],
      message: 'must be left out: the space is new',
    })
}

export const AddSection = consistent(
  z.object({
    ...newContent,
    title: SiteTitle.nullable().optional().describe('Also the title of a space that is created'),
    icon: OptionalIcon,
    pageId: HomePage.optional(),
    siteSectionGroupId: Id.optional().describe('Group to add it to'),
  }),
).meta({ id: 'AddSiteSection', description: 'A section to add' })

export const UpdateSection = z
  .object({
    title: SiteTitle.optional(),
    localizedTitle: LocalizedTitle.nullable().optional(),
    path: SitePath.optional(),
    defaultSiteSpace: Id.optional(),
    condition: Condition.nullable().optional(),
    icon: OptionalIcon,
    draft: Draft.optional(),
    description,
    localizedDescription: LocalizedDescription.nullable().optional(),
    siteSectionGroupId: Id.nullable().optional().describe('Group to move it to the end of; null: the site'),
  })
  .meta({ id: 'UpdateSiteSection', description: 'Fields of a section to update' })

const GroupTitle = text({ min: 1, max: siteLimits.maxGroupTitle })

export const AddGroup = z
  .object({
    title: GroupTitle,
    icon: OptionalIcon,
    sections: z.array(Id).max(1000).default([]).describe('Sections that move into the group'),
    parent: Id.optional().describe('Group to add it to'),
    draft: Draft.default(false),
  })
  .meta({ id: 'AddSiteSectionGroup', description: 'A group of sections to add' })

export const UpdateGroup = z
  .object({
    title: GroupTitle.optional(),
    localizedTitle: LocalizedTitle.nullable().optional(),
    icon: OptionalIcon,
    draft: Draft.optional(),
    parentSectionGroupId: Id.nullable().optional().describe('Group to move it to the end of; null: the site'),
  })
  .meta({ id: 'UpdateSiteSectionGroup', description: 'Fields of a group to update' })

export const AddSiteSpace = consistent(
  z.object({
    ...newContent,
    sectionId: Id.optional().describe('The default section unless given'),
    pageId: HomePage.nullable().optional(),
    title: SiteTitle.optional().describe('Its title on this site; also that of a space that is created'),
  }),
).meta({ id: 'AddSiteSpace', description: 'A space to add to a site' })

export const UpdateSiteSpace = z
  .object({
    path: SitePath.optional(),
    title: SiteTitle.nullable().optional().describe('Its title on this site; null: that of the space'),
    localizedTitle: LocalizedTitle.nullable().optional(),
    condition: Condition.nullable().optional(),
    pageId: HomePage.nullable().optional().describe('Without it, another `spaceId` removes the page'),
    spaceId: Id.optional().describe('Shows another space instead'),
    hidden: z.boolean().optional().describe('Whether the navigation of the site leaves it out'),
    draft: Draft.optional(),
  })
  .meta({ id: 'UpdateSiteSpace', description: 'Fields of a space of a site to update' })

export const DuplicateSiteSpace = z
  .object({ draft: Draft.default(false) })
  .meta({ id: 'DuplicateSiteSpace', description: 'How a space of a site is copied' })

const link = {
  localizedTitle: LocalizedTitle.nullable().optional(),
  description,
  localizedDescription: LocalizedDescription.nullable().optional(),
  icon: OptionalIcon,
  condition: Condition.nullable().optional(),
}

export const AddExternalLink = z
  .object({
    title: SiteTitle,
    url: HttpUrl,
    ...link,
    parent: Id.optional().describe('Group to add it to'),
    draft: Draft.default(false),
  })
  .meta({ id: 'AddSiteExternalLink', description: 'A link to add to the navigation of a site' })

export const UpdateExternalLink = z
  .object({
    title: SiteTitle.optional(),
    url: HttpUrl.optional(),
    ...link,
    parent: Id.nullable().optional().describe('Group to move it to the end of; null: the site'),
    draft: Draft.optional(),
  })
  .meta({ id: 'UpdateSiteExternalLink', description: 'Fields of a link to update' })

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

export const MoveSection = z
  .object({ position: anchors(SectionPointer).optional().describe(toTheEnd) })
  .meta({ id: 'MoveSiteSection', description: 'Where a section moves' })
export const MoveGroup = z
  .object({ position: anchors(GroupPointer).optional().describe(toTheEnd) })
  .meta({ id: 'MoveSiteSectionGroup', description: 'Where a group moves' })
export const MoveSiteSpace = z
  .object({ position: anchors(SpacePointer).optional().describe(toTheEnd) })
  .meta({ id: 'MoveSiteSpace', description: 'Where a space of a site moves' })
export const SortStructure = z
  .object({ item: StructurePointer, position: anchors(StructurePointer).describe(toTheEnd) })
  .meta({ id: 'SortSiteStructure', description: 'A part of the site to move, and where' })

export const AddSectionToGroup = z
  .object({ sectionId: Id })
  .meta({ id: 'AddSectionToGroup', description: 'A section to put into a group' })
