import { siteLimits } from '@recto/contracts-publishing'
import { createId, Failure, fieldFault } from '@recto/operation'
import { slugOfTitle } from '@recto/repository-format'
import { moveIntoGroup, requireGroupField } from './groups.rules.ts'
import { freePathBeside, freeSectionPath, requireFreeSectionPath, requireFreeSiteSpacePath } from './paths.rules.ts'
import type { SectionRow } from './section.entity.ts'
import { shownStructure } from './shown-structure.rules.ts'
import type { SiteSpaceRow } from './site-space.entity.ts'
import {
  type Added,
  changed,
  defaultSection,
  emptyStructure,
  endOfItems,
  endOfSiteSpaces,
  makeDefaultSiteSpace,
  requireSection,
  requireSiteSpace,
  settleDefaults,
  siteSpacesIn,
  type Structure,
  omitIds,
} from './structure.rules.ts'

/** A space to show, with the title that paths are made from. */
export interface ShownSpace {
  id: string
  title: string
}

/** Throws `conflict` when a site shows as many spaces as it can. */
export function requireRoom({ siteSpaces }: Structure): void {
  if (siteSpaces.length >= siteLimits.spaces)
    throw new Failure('conflict', `A site shows at most ${siteLimits.spaces} spaces`)
}

interface NewSiteSpace {
  siteId: string
  space: ShownSpace
  section?: string | undefined
  /** Its title on the site, where that is another one. */
  title?: string | null | undefined
  pageId?: string | null | undefined
  draft?: boolean
}

/** Adds a space at the end of a section: of the default one unless given, or of a site without sections. Throws `not_found` for an unknown section, and `conflict` for more spaces than a site shows. */
export function addSiteSpace(
  structure: Structure,
  { siteId, space, section, title = null, pageId = null, draft = false }: NewSiteSpace,
): Added {
  requireRoom(structure)
  const sectionId =
    section === undefined
      ? (defaultSection(shownStructure(structure))?.id ?? null)
      : requireSection(structure, section).id
  const siblings = siteSpacesIn(structure, sectionId)
  const added: SiteSpaceRow = {
    id: createId(),
    siteId,
    sectionId,
    spaceId: space.id,
    title,
    localizedTitle: null,
    path: freePathBeside(structure, sectionId, slugOfTitle(title ?? space.title)),
    condition: null,
    pageId,
    hidden: false,
    draft,
    position: endOfSiteSpaces(structure, sectionId),
    isDefault: siblings.length === 0,
    isDeleted: false,
    deletionChangedAt: null,
    createdAt: new Date(),
  }
  return { structure: { ...structure, siteSpaces: [...structure.siteSpaces, added] }, id: added.id }
}

/** The structure of a new site that shows these spaces, the first one at its root. */
export function structureOf(siteId: string, spaces: ShownSpace[]): Structure {
  return spaces.reduce((structure, space) => addSiteSpace(structure, { siteId, space }).structure, emptyStructure)
}

interface NewSection {
  siteId: string
  title: string
  icon: string | null
  space: ShownSpace
  pageId?: string | undefined
  draft?: boolean
  group?: string | undefined
  /** The title of the section that the spaces of a site without sections become. */
  firstTitle: string
}

/** Adds a section at the end of the site, or of a group. The spaces of a site without sections become its first section, the default one. Throws `not_found` for an unknown group. */
export function addSection(structure: Structure, { space, pageId, firstTitle, ...section }: NewSection): Added {
  const { siteId, group = null } = section
  requireGroupField(structure, { group, field: 'body.siteSectionGroupId' })
  const before =
    structure.sections.length === 0 && structure.siteSpaces.length > 0
      ? withFirstSection(structure, { siteId, title: firstTitle })
      : structure
  const added = appendSection(before, section)
  const { structure: filled } = addSiteSpace(added.structure, { siteId, space, pageId, section: added.id })
  return { structure: settleDefaults(filled), id: added.id }
}

function withFirstSection(structure: Structure, section: { siteId: string; title: string }): Structure {
  const first = appendSection(structure, { ...section, icon: null })
  return { ...first.structure, siteSpaces: structure.siteSpaces.map(row => ({ ...row, sectionId: first.id })) }
}

function appendSection(
  structure: Structure,
  {
    siteId,
    title,
    icon,
    draft = false,
    group = null,
  }: Pick<NewSection, 'siteId' | 'title' | 'icon' | 'draft'> & { group?: string | null | undefined },
): Added {
  const added: SectionRow = {
    id: createId(),
    siteId,
    title,
    localizedTitle: null,
    icon,
    description: null,
    localizedDescription: null,
    condition: null,
    groupId: group,
    path: freeSectionPath(structure, title),
    position: endOfItems(structure, group),
    isDefault: structure.sections.length === 0,
    draft,
    createdAt: new Date(),
  }
  return { structure: { ...structure, sections: [...structure.sections, added] }, id: added.id }
}

type SectionChanges = Partial<
  Pick<
    SectionRow,
    'title' | 'localizedTitle' | 'path' | 'condition' | 'icon' | 'draft' | 'description' | 'localizedDescription'
  >
> & {
  defaultSiteSpace?: string | undefined
  /** The group to move it to the end of; null: the site. */
  siteSectionGroupId?: string | null | undefined
}

/** Changes a section. Throws `conflict` for a path that is taken, and `invalid_request` for a default space of another section. */
export function updateSection(
  structure: Structure,
  id: string,
  { defaultSiteSpace, siteSectionGroupId: group, ...changes }: SectionChanges,
): Structure {
  requireSection(structure, id)
  if (changes.path !== undefined) requireFreeSectionPath(structure, changes.path, id)
  const target = group === undefined ? undefined : { group, field: 'body.siteSectionGroupId' }
  const moved = target ? moveIntoGroup(structure, { type: 'site-section', id }, target) : structure
  const next = { ...moved, sections: changed(moved.sections, id, changes) }
  return defaultSiteSpace === undefined ? next : withDefaultOf(next, defaultSiteSpace, id)
}

function withDefaultOf(structure: Structure, siteSpace: string, section: string): Structure {
  const siteSpaceRow = structure.siteSpaces.find(({ id, sectionId }) => id === siteSpace && sectionId === section)
  if (!siteSpaceRow) throw fieldFault('body.defaultSiteSpace', 'must be a space of the section')
  return makeDefaultSiteSpace(structure, siteSpaceRow)
}

/** Changes a space of a site; the page at its root is none of another space. Throws `conflict` for a path that is taken. */
export function updateSiteSpace(
  structure: Structure,
  id: string,
  changes: Partial<
    Pick<SiteSpaceRow, 'path' | 'title' | 'localizedTitle' | 'condition' | 'pageId' | 'spaceId' | 'hidden' | 'draft'>
  >,
): Structure {
  const siteSpace = requireSiteSpace(structure, id)
  if (changes.path !== undefined) requireFreeSiteSpacePath(structure, changes.path, siteSpace)
  const isOther = changes.spaceId !== undefined && changes.spaceId !== siteSpace.spaceId
  const all = isOther ? { pageId: null, ...changes } : changes
  return { ...structure, siteSpaces: changed(structure.siteSpaces, id, all) }
}

/** Removes a section with its spaces from the site. */
export function removeSection(structure: Structure, id: string): Structure {
  const spaces = siteSpacesIn(structure, id).map(({ id }) => id)
  const siteSpaces = omitIds(structure.siteSpaces, spaces)
  return settleDefaults({ ...structure, sections: omitIds(structure.sections, [id]), siteSpaces })
}

/** Hides spaces that were deleted, or shows them again; what is known from a later time stays. */
export function setDeleted(
  structure: Structure,
  spaces: readonly string[],
  { isDeleted, at }: { isDeleted: boolean; at: Date },
): Structure {
  const siteSpaces = structure.siteSpaces.map(row => {
    const isNews = row.deletionChangedAt === null || row.deletionChangedAt < at
    return spaces.includes(row.spaceId) && isNews ? { ...row, isDeleted, deletionChangedAt: at } : row
  })
  return { ...structure, siteSpaces }
}

/** Removes spaces from the site, and the sections that showed nothing else. */
export function removeSiteSpaces(structure: Structure, ids: readonly string[]): Structure {
  const siteSpaces = omitIds(structure.siteSpaces, ids)
  const touched = new Set(structure.siteSpaces.filter(({ id }) => ids.includes(id)).map(({ sectionId }) => sectionId))
  const emptied = [...touched].filter(
    (section): section is string => section !== null && !siteSpaces.some(({ sectionId }) => sectionId === section),
  )
  return settleDefaults({ ...structure, siteSpaces, sections: omitIds(structure.sections, emptied) })
}
