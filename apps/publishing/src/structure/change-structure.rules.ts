import { siteLimits } from '@recto/contracts-publishing'
import { createId, Failure, fieldFault } from '@recto/operation'
import { slugOfTitle } from '@recto/repository-format'
import { generateKeyBetween } from 'fractional-indexing'
import type { GroupRow } from './group.entity.ts'
import { freePathBeside, freeSectionPath, requireFreeSectionPath, requireFreeSiteSpacePath } from './paths.rules.ts'
import type { SectionRow } from './section.entity.ts'
import { shownStructure } from './shown-structure.rules.ts'
import type { SiteSpaceRow } from './site-space.entity.ts'
import {
  changed,
  defaultSection,
  emptyStructure,
  endOfItems,
  endOfSiteSpaces,
  itemsIn,
  makeDefaultSiteSpace,
  requireGroup,
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

/** A structure with what was added to it. */
export interface Added {
  structure: Structure
  id: string
}

/** Adds a space at the end of a section: of the default one unless given, or of a site without sections. Throws `not_found` for an unknown section, and `conflict` for more spaces than a site shows. */
export function addSiteSpace(
  structure: Structure,
  { siteId, space, section }: { siteId: string; space: ShownSpace; section?: string | undefined },
): Added {
  if (structure.siteSpaces.length >= siteLimits.spaces)
    throw new Failure('conflict', `A site shows at most ${siteLimits.spaces} spaces`)
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
    path: freePathBeside(structure, sectionId, slugOfTitle(space.title)),
    condition: null,
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
  /** The title of the section that the spaces of a site without sections become. */
  firstTitle: string
}

/** Adds a section at the end of the site. The spaces of a site without sections become its first section, the default one. */
export function addSection(structure: Structure, { space, firstTitle, ...section }: NewSection): Added {
  const before =
    structure.sections.length === 0 && structure.siteSpaces.length > 0
      ? withFirstSection(structure, { siteId: section.siteId, title: firstTitle })
      : structure
  const added = appendSection(before, section)
  const { structure: filled } = addSiteSpace(added.structure, { siteId: section.siteId, space, section: added.id })
  return { structure: settleDefaults(filled), id: added.id }
}

function withFirstSection(structure: Structure, section: { siteId: string; title: string }): Structure {
  const first = appendSection(structure, { ...section, icon: null })
  return { ...first.structure, siteSpaces: structure.siteSpaces.map(row => ({ ...row, sectionId: first.id })) }
}

function appendSection(
  structure: Structure,
  { siteId, title, icon }: { siteId: string; title: string; icon: string | null },
): Added {
  const added: SectionRow = {
    id: createId(),
    siteId,
    title,
    icon,
    description: null,
    condition: null,
    groupId: null,
    path: freeSectionPath(structure, title),
    position: endOfItems(structure, null),
    isDefault: structure.sections.length === 0,
    createdAt: new Date(),
  }
  return { structure: { ...structure, sections: [...structure.sections, added] }, id: added.id }
}

/** Changes a section. Throws `conflict` for a path that is taken, and `invalid_request` for a default space of another section. */
export function updateSection(
  structure: Structure,
  id: string,
  {
    defaultSiteSpace,
    ...changes
  }: Partial<Pick<SectionRow, 'title' | 'path' | 'condition' | 'icon' | 'description'>> & {
    defaultSiteSpace?: string | undefined
  },
): Structure {
  requireSection(structure, id)
  if (changes.path !== undefined) requireFreeSectionPath(structure, changes.path, id)
  const next = { ...structure, sections: changed(structure.sections, id, changes) }
  return defaultSiteSpace === undefined ? next : withDefaultOf(next, defaultSiteSpace, id)
}

function withDefaultOf(structure: Structure, siteSpace: string, section: string): Structure {
  const siteSpaceRow = structure.siteSpaces.find(({ id, sectionId }) => id === siteSpace && sectionId === section)
  if (!siteSpaceRow) throw fieldFault('body.defaultSiteSpace', 'must be a space of the section')
  return makeDefaultSiteSpace(structure, siteSpaceRow)
}

/** Changes a space of a site. Throws `conflict` for a path that is taken. */
export function updateSiteSpace(
  structure: Structure,
  id: string,
  changes: Partial<Pick<SiteSpaceRow, 'path' | 'condition' | 'spaceId'>>,
): Structure {
  const siteSpace = requireSiteSpace(structure, id)
  if (changes.path !== undefined) requireFreeSiteSpacePath(structure, changes.path, siteSpace)
  return { ...structure, siteSpaces: changed(structure.siteSpaces, id, changes) }
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

/** Adds a group at the end of the site or of another group, and moves sections into it. Throws `not_found` for unknown ones. */
export function addGroup(
  structure: Structure,
  group: { siteId: string; title: string; icon: string | null; parent: string | null; sections: readonly string[] },
): Added {
  const { parent, sections, ...rest } = group
  if (parent !== null) requireGroup(structure, parent)
  const added: GroupRow = {
    id: createId(),
    ...rest,
    groupId: parent,
    position: endOfItems(structure, parent),
    createdAt: new Date(),
  }
  const next = { ...structure, groups: [...structure.groups, added] }
  return { structure: sections.reduce((all, section) => addToGroup(all, section, added.id), next), id: added.id }
}

/** Puts a section at the end of a group; one that is in it stays where it is. Throws `not_found` for unknown ones. */
export function addToGroup(structure: Structure, section: string, group: string): Structure {
  requireGroup(structure, group)
  if (requireSection(structure, section).groupId === group) return structure
  const moved = { groupId: group, position: endOfItems(structure, group) }
  return { ...structure, sections: changed(structure.sections, section, moved) }
}

/** Takes a section out of a group, to the place behind the group; one that is not in it, or a group that does not exist, changes nothing. */
export function removeFromGroup(structure: Structure, section: string, group: string): Structure {
  const row = structure.groups.find(({ id }) => id === group)
  if (!row || structure.sections.find(({ id }) => id === section)?.groupId !== group) return structure
  const { groupId, position } = row
  const next = itemsIn(structure, groupId).find(({ row }) => row.position > position)
  const moved = { groupId, position: generateKeyBetween(position, next?.row.position ?? null) }
  return { ...structure, sections: changed(structure.sections, section, moved) }
}

/** Removes a group, if there is one; what is in it takes its place, in its order. */
export function removeGroup(structure: Structure, id: string): Structure {
  const group = structure.groups.find(row => row.id === id)
  if (!group) return structure
  const { groupId, position } = group
  const end = itemsIn(structure, groupId).find(({ row }) => row.position > position)?.row.position ?? null
  let last = position
  let next = structure
  for (const { type, row } of itemsIn(structure, id)) {
    last = generateKeyBetween(last, end)
    const moved = { groupId, position: last }
    next =
      type === 'site-section'
        ? { ...next, sections: changed(next.sections, row.id, moved) }
        : { ...next, groups: changed(next.groups, row.id, moved) }
  }
  return { ...next, groups: omitIds(next.groups, [id]) }
}
