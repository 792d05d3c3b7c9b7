import { createId } from '@recto/operation'
import { generateKeyBetween } from 'fractional-indexing'
import { requireRoom, type ShownSpace } from './change-structure.rules.ts'
import { freePathBeside, freeSectionPath } from './paths.rules.ts'
import type { SectionRow } from './section.entity.ts'
import type { SiteSpaceRow } from './site-space.entity.ts'
import {
  type Added,
  itemsIn,
  requireSection,
  requireSiteSpace,
  settleDefaults,
  siteSpacesIn,
  type Structure,
} from './structure.rules.ts'

/**
 * Shows the copy of a space of a site beside it, with all that is set for it there: in a section of its own if it is the only one of its
 * section, else as a variant beside it. Throws `not_found` for an unknown one, and `conflict` for more spaces than a site shows.
 */
export function duplicateSiteSpace(
  structure: Structure,
  id: string,
  { space, draft }: { space: ShownSpace; draft: boolean },
): Added {
  requireRoom(structure)
  const source = requireSiteSpace(structure, id)
  const copy = { ...source, id: createId(), spaceId: space.id, draft, isDefault: false, createdAt: new Date() }
  const isOnly = siteSpacesIn(structure, source.sectionId).length === 1
  const added: Structure =
    source.sectionId !== null && isOnly
      ? inNewSection(structure, copy, { section: requireSection(structure, source.sectionId), space })
      : { ...structure, siteSpaces: [...structure.siteSpaces, beside(structure, copy)] }
  return { structure: settleDefaults(added), id: copy.id }
}

function beside(structure: Structure, copy: SiteSpaceRow): SiteSpaceRow {
  const siblings = siteSpacesIn(structure, copy.sectionId)
  const path = freePathBeside(structure, copy.sectionId, copy.path)
  return { ...copy, path, position: positionBehind(copy.position, siblings) }
}

function inNewSection(
  structure: Structure,
  copy: SiteSpaceRow,
  { section, space }: { section: SectionRow; space: ShownSpace },
): Structure {
  const siblings = itemsIn(structure, section.groupId).map(({ row }) => row)
  const added: SectionRow = {
    ...section,
    id: createId(),
    title: sectionTitle(space.title),
    path: freeSectionPath(structure, space.title),
    position: positionBehind(section.position, siblings),
    isDefault: false,
    draft: copy.draft,
    createdAt: copy.createdAt,
  }
  const siteSpace = { ...copy, sectionId: added.id, isDefault: true }
  return {
    ...structure,
    sections: [...structure.sections, added],
    siteSpaces: [...structure.siteSpaces, siteSpace],
  }
}

/** The position directly behind another one. */
function positionBehind(position: string, siblings: readonly { position: string }[]): string {
  const next = siblings.find(sibling => sibling.position > position)
  return generateKeyBetween(position, next?.position ?? null)
}

/** The title of a section, of at least two characters, made from that of a space. */
export function sectionTitle(title: string): string {
  return [...title].length < 2 ? 'Docs' : title
}
