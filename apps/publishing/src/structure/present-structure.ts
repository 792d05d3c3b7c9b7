import type {
  SiteExternalLink,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
} from '@recto/contracts-publishing'
import type { Space } from '@recto/contracts-shared'
import type { z } from 'zod'
import type { ExternalLinkRow } from './external-link.entity.ts'
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
  /** The part of it that has published addresses. */
  live: ShownStructure
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
  { live, spaces, address, isBehindLink, showsConditions }: VisibleStructure,
  row: SiteSpaceRow,
): Presented<typeof SiteSpace> | undefined {
  const space = spaces.get(row.spaceId)
  const liveRow = live.siteSpaces.find(({ id }) => id === row.id)
  const urls = address === undefined || !liveRow ? {} : { published: addressOfSiteSpace(live, liveRow, address) }
  return (
    space && {
      object: 'site-space',
      id: row.id,
      path: row.path,
      ...(row.sectionId !== null && { section: row.sectionId }),
      space: isBehindLink ? { ...space, urls: { ...space.urls, ...urls } } : space,
      title: row.title ?? space.title,
      ...(row.localizedTitle && { localizedTitle: row.localizedTitle }),
      default: row.isDefault,
      draft: row.draft,
      hidden: row.hidden,
      ...(showsConditions && row.condition !== null && { condition: row.condition }),
      ...(row.pageId !== null && { pageId: row.pageId }),
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
  const { live, address, showsConditions } = visible
  const isLive = live.sections.some(({ id }) => id === row.id)
  return {
    object: 'site-section',
    id: row.id,
    title: row.title,
    ...(row.localizedTitle && { localizedTitle: row.localizedTitle }),
    ...(row.description !== null && { description: row.description }),
    ...(row.localizedDescription && { localizedDescription: row.localizedDescription }),
    default: row.isDefault,
    draft: row.draft,
    path: row.path,
    ...(showsConditions && row.condition !== null && { condition: row.condition }),
    ...(row.groupId !== null && { sectionGroup: row.groupId }),
    siteSpaces: presentSiteSpaces(visible, row.id),
    urls: address === undefined || !isLive ? {} : { published: addressOfSection(live, row.id, address) },
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
    ...(row.localizedTitle && { localizedTitle: row.localizedTitle }),
    draft: row.draft,
    ...(row.icon !== null && { icon: row.icon }),
    ...(row.groupId !== null && { sectionGroup: row.groupId }),
    sections: children.filter(child => child.object === 'site-section'),
    children,
  }
}

/** A link of the navigation. */
export function presentExternalLink(
  { showsConditions }: Pick<VisibleStructure, 'showsConditions'>,
  row: ExternalLinkRow,
): Presented<typeof SiteExternalLink> {
  return {
    object: 'site-external-link',
    id: row.id,
    title: row.title,
    ...(row.localizedTitle && { localizedTitle: row.localizedTitle }),
    ...(row.description !== null && { description: row.description }),
    ...(row.localizedDescription && { localizedDescription: row.localizedDescription }),
    ...(row.icon !== null && { icon: row.icon }),
    url: row.url,
    ...(row.groupId !== null && { sectionGroup: row.groupId }),
    draft: row.draft,
    ...(showsConditions && row.condition !== null && { condition: row.condition }),
  }
}

function presentItems(visible: VisibleStructure, groupId: string | null) {
  return itemsIn(visible.structure, groupId).map(item => {
    if (item.type === 'site-section') return presentSection(visible, item.row)
    if (item.type === 'site-section-group') return presentGroup(visible, item.row)
    return presentExternalLink(visible, item.row)
  })
}

/** Everything that a site shows; a site without sections is a list of spaces. */
export function presentStructure(visible: VisibleStructure): Presented<typeof SiteStructure> {
  return visible.structure.sections.length === 0
    ? { type: 'siteSpaces', structure: presentSiteSpaces(visible, null) }
    : { type: 'sections', structure: presentItems(visible, null) }
}
