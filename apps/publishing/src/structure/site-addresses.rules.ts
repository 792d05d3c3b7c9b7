import { addressBelow } from '../addresses/addresses.rules.ts'
import type { ShownStructure } from './shown-structure.rules.ts'
import type { SiteSpaceRow } from './site-space.entity.ts'
import { requireSection } from './structure.rules.ts'

/** The parts of the path of a section below its site; the default section is at the root. */
export function partsOfSection(structure: ShownStructure, sectionId: string | null): string[] {
  if (sectionId === null) return []
  const { isDefault, path } = requireSection(structure, sectionId)
  return isDefault ? [] : [path]
}

/**
 * The parts of the path of a space below its site: that of its section, and its own unless it is the default one there. A space of
 * the default section whose path is that of another section has the path of its section too, since sections come first.
 */
export function partsOfSiteSpace(structure: ShownStructure, { sectionId, path, isDefault }: SiteSpaceRow): string[] {
  const section = partsOfSection(structure, sectionId)
  if (isDefault) return section
  const isHidden = section.length === 0 && structure.sections.some(other => other.path === path)
  const explicit = isHidden && sectionId !== null ? [requireSection(structure, sectionId).path] : section
  return [...explicit, path]
}

/** The address of a space of a site, ending in a slash. */
export function addressOfSiteSpace(structure: ShownStructure, siteSpace: SiteSpaceRow, site: string): string {
  return addressBelow(site, partsOfSiteSpace(structure, siteSpace))
}

/** Returns the address of a section below the address of its site, ending in a slash; the default section has that of the site. */
export function addressOfSection(structure: ShownStructure, sectionId: string, siteAddress: string): string {
  return addressBelow(siteAddress, partsOfSection(structure, sectionId))
}
