import { generateKeyBetween } from 'fractional-indexing'
import { Failure } from '@recto/operation'
import type { ExternalLinkRow } from './external-link.entity.ts'
import type { GroupRow } from './group.entity.ts'
import type { SectionRow } from './section.entity.ts'
import type { SiteSpaceRow } from './site-space.entity.ts'

/** Everything a site shows. Rules take a structure and return the next one; what they leave alone stays the same object. */
export interface Structure {
  sections: SectionRow[]
  groups: GroupRow[]
  siteSpaces: SiteSpaceRow[]
  externalLinks: ExternalLinkRow[]
}

/** The structure of a site that shows nothing. */
export const emptyStructure: Structure = { sections: [], groups: [], siteSpaces: [], externalLinks: [] }

/** A section, a group or a link among its siblings. */
export type Item =
  | { type: 'site-section'; row: SectionRow }
  | { type: 'site-section-group'; row: GroupRow }
  | { type: 'site-external-link'; row: ExternalLinkRow }

/** A structure with what was added to it. */
export interface Added {
  structure: Structure
  id: string
}

const byPosition = (one: { position: string }, other: { position: string }) => (one.position < other.position ? -1 : 1)

/** The sections, groups and links in a group, or at the top of the site (null), in their order. */
export function itemsIn({ sections, groups, externalLinks }: Structure, groupId: string | null): Item[] {
  const items: Item[] = [
    ...sections.map(row => ({ type: 'site-section' as const, row })),
    ...groups.map(row => ({ type: 'site-section-group' as const, row })),
    ...externalLinks.map(row => ({ type: 'site-external-link' as const, row })),
  ]
  return items.filter(({ row }) => row.groupId === groupId).sort((one, other) => byPosition(one.row, other.row))
}

/** All sections in the order in which the site shows them. */
export function orderedSections(structure: Structure, groupId: string | null = null): SectionRow[] {
  return itemsIn(structure, groupId).flatMap(item => {
    if (item.type === 'site-section') return [item.row]
    return item.type === 'site-section-group' ? orderedSections(structure, item.row.id) : []
  })
}

/** The spaces of a section, or those of a site without sections (null), in their order. */
export function siteSpacesIn({ siteSpaces }: Structure, sectionId: string | null): SiteSpaceRow[] {
  return siteSpaces.filter(siteSpace => siteSpace.sectionId === sectionId).sort(byPosition)
}

/** All spaces in the order in which the site shows them. */
export function orderedSiteSpaces(structure: Structure): SiteSpaceRow[] {
  const sections = [null, ...orderedSections(structure).map(({ id }) => id)]
  return sections.flatMap(section => siteSpacesIn(structure, section))
}

/** Throws `not_found` when the site has no such section. */
export function requireSection({ sections }: Structure, id: string): SectionRow {
  return required(sections, id, 'There is no such section')
}

/** Throws `not_found` when the site has no such group. */
export function requireGroup({ groups }: Structure, id: string): GroupRow {
  return required(groups, id, 'There is no such section group')
}

/** Throws `not_found` when the site has no such link. */
export function requireExternalLink({ externalLinks }: Structure, id: string): ExternalLinkRow {
  return required(externalLinks, id, 'There is no such external link')
}

/** Throws `not_found` when the site has no such space. */
export function requireSiteSpace({ siteSpaces }: Structure, id: string): SiteSpaceRow {
  return required(siteSpaces, id, 'The site has no such space')
}

/** Finds a section, group or link; throws `not_found` when the site has none. */
export const requireItem = {
  'site-section': requireSection,
  'site-section-group': requireGroup,
  'site-external-link': requireExternalLink,
}

function required<Row extends { id: string }>(rows: Row[], id: string, message: string): Row {
  const row = rows.find(row => row.id === id)
  if (!row) throw new Failure('not_found', message)
  return row
}

/** The position behind everything that is in a group, or at the top of the site. */
export function endOfItems(structure: Structure, groupId: string | null): string {
  return generateKeyBetween(itemsIn(structure, groupId).at(-1)?.row.position ?? null, null)
}

/** The position behind all spaces of a section, or of a site without sections. */
export function endOfSiteSpaces(structure: Structure, sectionId: string | null): string {
  return generateKeyBetween(siteSpacesIn(structure, sectionId).at(-1)?.position ?? null, null)
}

/** The rows with changes to some of them. */
export function changed<Row extends { id: string }>(
  rows: Row[],
  ids: string | readonly string[],
  changes: Partial<NoInfer<Row>>,
): Row[] {
  const chosen = new Set(typeof ids === 'string' ? [ids] : ids)
  return rows.map(row => (chosen.has(row.id) ? { ...row, ...changes } : row))
}

/** The structure with changes to a section, a group or a link. */
export function withItemChanges(
  structure: Structure,
  { type, id }: { type: Item['type']; id: string },
  changes: Partial<Pick<SectionRow, 'groupId' | 'position'>>,
): Structure {
  if (type === 'site-section') return { ...structure, sections: changed(structure.sections, id, changes) }
  if (type === 'site-section-group') return { ...structure, groups: changed(structure.groups, id, changes) }
  return { ...structure, externalLinks: changed(structure.externalLinks, id, changes) }
}

/** The rows without some of them. */
export function omitIds<Row extends { id: string }>(rows: Row[], ids: readonly string[]): Row[] {
  const removed = new Set(ids)
  return rows.filter(({ id }) => !removed.has(id))
}

/**
 * The structure with exactly one default section while there is any, and one default space in each section and on a site without
 * sections. Where there is none, the first in order becomes it that shows something, else the first.
 */
export function settleDefaults(structure: Structure): Structure {
  const ordered = orderedSections(structure)
  const section = defaultOf(ordered, ({ id }) => showsSpaces(structure, id))
  const sections = withDefault(structure.sections, section)
  return { ...structure, sections, siteSpaces: settleSiteSpaces(structure) }
}

/** The spaces of a structure with one default in each section, and on a site without sections. */
export function settleSiteSpaces(structure: Structure): SiteSpaceRow[] {
  const places = [null, ...structure.sections.map(({ id }) => id)]
  return places.reduce((rows, place) => {
    const chosen = defaultOf(siteSpacesIn(structure, place), ({ isDeleted }) => !isDeleted)
    return withDefault(rows, chosen, ({ sectionId }) => sectionId === place)
  }, structure.siteSpaces)
}

/** Whether a section has a space that is not deleted. */
export function showsSpaces({ siteSpaces }: Structure, section: string): boolean {
  return siteSpaces.some(({ sectionId, isDeleted }) => sectionId === section && !isDeleted)
}

interface Choice {
  id: string
  isDefault: boolean
}

/** The default one of some rows; without one, the first that shows something, else the first. */
export function defaultOf<Row extends Choice>(rows: Row[], showsSomething: (row: Row) => boolean): Row | undefined {
  return rows.find(({ isDefault }) => isDefault) ?? rows.find(showsSomething) ?? rows[0]
}

/** The rows with this default among its siblings; without one they stay as they are. */
export function withDefault<Row extends Choice>(
  rows: Row[],
  chosen: Choice | undefined,
  isSibling: (row: Row) => boolean = () => true,
): Row[] {
  if (!chosen) return rows
  return rows.map(row => {
    const isDefault = row.id === chosen.id
    return !isSibling(row) || row.isDefault === isDefault ? row : { ...row, isDefault }
  })
}

/** Makes a section the default one. Throws `not_found` when the site has no such section. */
export function makeDefaultSection(structure: Structure, id: string): Structure {
  return { ...structure, sections: withDefault(structure.sections, requireSection(structure, id)) }
}

/** Makes a space the default one of its section or site. */
export function makeDefaultSiteSpace(structure: Structure, siteSpace: SiteSpaceRow): Structure {
  const isSibling = ({ sectionId }: SiteSpaceRow) => sectionId === siteSpace.sectionId
  return { ...structure, siteSpaces: withDefault(structure.siteSpaces, siteSpace, isSibling) }
}

/** The section at the root of the site; undefined on a site without sections. */
export function defaultSection({ sections }: Structure): SectionRow | undefined {
  return sections.find(({ isDefault }) => isDefault)
}

/** The space at the root of a section, or of a site without sections. */
export function defaultSiteSpace(structure: Structure, sectionId: string | null): SiteSpaceRow | undefined {
  return siteSpacesIn(structure, sectionId).find(({ isDefault }) => isDefault)
}

/** All groups in the order in which the site shows them, each before what is in it. */
export function orderedGroups(structure: Structure, groupId: string | null = null): GroupRow[] {
  return itemsIn(structure, groupId).flatMap(item =>
    item.type === 'site-section-group' ? [item.row, ...orderedGroups(structure, item.row.id)] : [],
  )
}

/** The key by which sections and groups are ordered: the positions of the groups around one, and its own. */
export function orderKey(
  structure: Structure,
  { groupId, position }: Pick<SectionRow, 'groupId' | 'position'>,
): string {
  const group = structure.groups.find(({ id }) => id === groupId)
  return group ? `${orderKey(structure, group)} ${position}` : position
}

/** The key by which spaces are ordered: the order of their sections, and their own position there. */
export function siteSpaceOrderKey(structure: Structure, { sectionId, position }: SiteSpaceRow): string[] {
  return [sectionId === null ? '' : orderKey(structure, requireSection(structure, sectionId)), position]
}
