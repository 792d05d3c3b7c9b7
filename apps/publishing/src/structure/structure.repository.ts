import type { Db } from '@recto/database'
import { In, type EntitySchema } from 'typeorm'
import { ExternalLinkEntity } from './external-link.entity.ts'
import { GroupEntity } from './group.entity.ts'
import { SectionEntity } from './section.entity.ts'
import { shownStructure, type ShownStructure } from './shown-structure.rules.ts'
import { SiteSpaceEntity } from './site-space.entity.ts'
import type { Structure } from './structure.rules.ts'

/** The spaces `p` of sites. */
export const siteSpacesAsP = 'site_spaces p'

/** Whether a site shows a space; both are expressions of SQL. */
export const showsSpace = (site: string, space: string): string =>
  `exists (select from site_spaces where site_id = ${site} and space_id = ${space} and not is_deleted)`

/** The structure of a site as it is stored, which changes are made to: with deleted spaces. */
export async function load(db: Db, siteId: string): Promise<Structure> {
  const sections = await db.findBy(SectionEntity, { siteId })
  const groups = await db.findBy(GroupEntity, { siteId })
  const siteSpaces = await db.findBy(SiteSpaceEntity, { siteId })
  const externalLinks = await db.findBy(ExternalLinkEntity, { siteId })
  return { sections, groups, siteSpaces, externalLinks }
}

/** Loads the structure of a site that is in effect, as who manages it sees it: with drafts. */
export async function loadShown(db: Db, siteId: string): Promise<ShownStructure> {
  return shownStructure(await load(db, siteId))
}

/** Writes what differs between two structures of a site; the caller holds the lock of the site. */
export async function save(db: Db, before: Structure, after: Structure): Promise<void> {
  await removeMissing(db, SiteSpaceEntity, before.siteSpaces, after.siteSpaces)
  await removeMissing(db, SectionEntity, before.sections, after.sections)
  await removeMissing(db, ExternalLinkEntity, before.externalLinks, after.externalLinks)
  await removeMissing(db, GroupEntity, before.groups, after.groups)
  await writeChanged(db, GroupEntity, before.groups, after.groups)
  await writeChanged(db, SectionEntity, before.sections, after.sections)
  await writeChanged(db, SiteSpaceEntity, before.siteSpaces, after.siteSpaces)
  await writeChanged(db, ExternalLinkEntity, before.externalLinks, after.externalLinks)
}

/**
 * Lists the ids of the sites whose structure has one of these spaces, deleted ones too, sorted: all transactions lock sites in the same
 * order.
 */
export async function siteIdsWithSpaces(db: Db, spaces: readonly string[]): Promise<string[]> {
  const rows = await db.find(SiteSpaceEntity, { select: { siteId: true }, where: { spaceId: In([...spaces]) } })
  return [...new Set(rows.map(({ siteId }) => siteId))].sort()
}

/** The spaces that each of some sites shows, by the id of the site. */
export async function shownSpaceIds(db: Db, siteIds: readonly string[]): Promise<(siteId: string) => string[]> {
  const rows = await db.findBy(SiteSpaceEntity, { siteId: In([...siteIds]), isDeleted: false })
  const bySite = new Map<string, string[]>(siteIds.map(id => [id, []]))
  for (const { siteId, spaceId } of rows) bySite.get(siteId)?.push(spaceId)
  return siteId => bySite.get(siteId) ?? []
}

interface Row {
  id: string
}

async function removeMissing(
  db: Db,
  entity: EntitySchema,
  ...[before, after]: [before: Row[], after: Row[]]
): Promise<void> {
  const idsAfter = new Set(after.map(({ id }) => id))
  const gone = before.filter(({ id }) => !idsAfter.has(id)).map(({ id }) => id)
  if (gone.length > 0) await db.delete<Row>(entity, { id: In(gone) })
}

/** Rows that stay the same object are unchanged. */
async function writeChanged(
  db: Db,
  entity: EntitySchema,
  ...[before, after]: [before: Row[], after: Row[]]
): Promise<void> {
  const same = new Set(before)
  const changedRows = after.filter(row => !same.has(row))
  if (changedRows.length > 0) await db.save(entity, changedRows)
}
