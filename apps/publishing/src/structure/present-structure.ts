import type { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from '@recto/contracts-publishing'
import type { Space } from '@recto/contracts-shared'
import type { z } from 'zod'
import type { GroupRow } from './group.entity.ts'
import type { SectionRow } from './section.entity.ts'
import type { ShownStructure } from './shown-structure.rules.ts'
import { addressOfSection, addressOfSiteSpace } from './site-addresses.rules.ts'
import type { SiteSpaceRow } from './site-space.entity.ts'
import { itemsIn, siteSpacesIn } from './structure.rules.ts'

type Presented<T extends z.ZodType> = z.input<T>

/** A structure as a caller sees it: the spaces that they can read, and where the site is published. */
export interface VisibleStructure {
  structure: ShownStructure
  /** By id; what is missing is not shown. */
  spaces: ReadonlyMap<string, Presented<typeof Space>>
  /** Where the site is published, ending in a slash; undefined while it is not. */
  address: string | undefined
  /** Whether the address leads through a share link: then the spaces are found behind it, too. */
  isBehindLink: boolean
  /** Conditions are settings, which visitors do not learn. */
  showsConditions: boolean
}

/** A space of a site; undefined for a caller who cannot read it. */
export function presentSiteSpace(
  { structure, spaces, address, isBehindLink, showsConditions }: VisibleStructure,
  row: SiteSpaceRow,
): Presented<typeof SiteSpace> | undefined {
  const space = spaces.get(row.spaceId)
  const urls = address === undefined ? {} : { published: addressOfSiteSpace(structure, row, address) }
  return (
    space && {
      object: 'site-space',
      id: row.id,
      path: row.path,
      ...(row.sectionId !== null && { section: row.sectionId }),
      space: isBehindLink ? { ...space, urls: { ...space.urls, ...urls } } : space,
      title: space.title,
      default: row.isDefault,
      ...(showsConditions && row.condition !== null && { condition: row.condition }),
      hasAdvancedCustomizationFeature: true,
      urls,
    }
  )
}

/** The spaces of a section, or of a site without sections (null), that the caller can read. */
export function presentSiteSpaces(visible: VisibleStructure, sectionId: string | null): Presented<typeof SiteSpace>[] {
  return siteSpacesIn(visible.structure, sectionId).flatMap(row => presentSiteSpace(visible, row) ?? [])
}

/** A section with the spaces in it that the caller can read. */
export function presentSection(visible: VisibleStructure, row: SectionRow): Presented<typeof SiteSection> {
  const { structure, address, showsConditions } = visible
  return {
    object: 'site-section',
    id: row.id,
    title: row.title,
    ...(row.description !== null && { description: row.description }),
    default: row.isDefault,
    path: row.path,
    ...(showsConditions && row.condition !== null && { condition: row.condition }),
    ...(row.groupId !== null && { sectionGroup: row.groupId }),
    siteSpaces: presentSiteSpaces(visible, row.id),
    urls: address === undefined ? {} : { published: addressOfSection(structure, row.id, address) },
    ...(row.icon !== null && { icon: row.icon }),
  }
}

/** A group with everything in it. */
export function presentGroup(visible: VisibleStructure, row: GroupRow): Presented<typeof SiteSectionGroup> {
  const children = presentItems(visible, row.id)
  return {
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    ...(row.icon !== null && { icon: row.icon }),
    ...(row.groupId !== null && { sectionGroup: row.groupId }),
    sections: children.filter(child => child.object === 'site-section'),
    children,
  }
}

function presentItems(visible: VisibleStructure, groupId: string | null) {
  return itemsIn(visible.structure, groupId).map(item =>
    item.type === 'site-section' ? presentSection(visible, item.row) : presentGroup(visible, item.row),
  )
}

/** Everything that a site shows; a site without sections is a list of spaces. */
export function presentStructure(visible: VisibleStructure): Presented<typeof SiteStructure> {
  return visible.structure.sections.length === 0
    ? { type: 'siteSpaces', structure: presentSiteSpaces(visible, null) }
    : { type: 'sections', structure: presentItems(visible, null) }
}
