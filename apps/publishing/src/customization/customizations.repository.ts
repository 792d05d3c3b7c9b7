import type { Db } from '@recto/database'
import { completeCustomization, type Customization, type Overrides } from './customization.rules.ts'
import { SiteCustomizationEntity } from './site-customization.entity.ts'
import { SiteSpaceCustomizationEntity } from './site-space-customization.entity.ts'

/** The settings of a site, and the overrides of its spaces, by the id of the site space. */
export interface SiteCustomizations {
  settings: Customization | undefined
  overrides: Map<string, Overrides>
  /** When they were changed last, of the site and by the id of the site space; undefined for what was never changed. */
  updatedAt(siteSpaceId?: string): Date | undefined
}

/** The icon of a site, whose id is an expression of SQL. */
export const faviconOf = (site: string): string =>
  `(select settings->'favicon' from site_customizations where site_id = ${site})`

/** How a site looks, with all its spaces. */
export async function load(db: Db, siteId: string): Promise<SiteCustomizations> {
  const own = await db.findOneBy(SiteCustomizationEntity, { siteId })
  const rows = await db.findBy(SiteSpaceCustomizationEntity, { siteId })
  const times = new Map(rows.map(({ siteSpaceId, updatedAt }) => [siteSpaceId, updatedAt]))
  return {
    settings: own ? completeCustomization(own.settings) : undefined,
    updatedAt: (siteSpaceId = '') => latest(own?.updatedAt, times.get(siteSpaceId)),
    overrides: new Map(rows.map(({ siteSpaceId, overrides }) => [siteSpaceId, overrides])),
  }
}

function latest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other ? (one > other ? one : other) : (one ?? other)
}

/** Sets how a site looks. */
export async function save(db: Db, siteId: string, settings: Customization): Promise<void> {
  await db.upsert(SiteCustomizationEntity, { siteId, settings: settings as never, updatedAt: new Date() }, ['siteId'])
}

/** Sets what a space on a site overrides. */
export async function saveOverrides(
  db: Db,
  { siteId, siteSpaceId }: { siteId: string; siteSpaceId: string },
  overrides: Overrides,
): Promise<void> {
  const row = { siteSpaceId, siteId, overrides: overrides as never, updatedAt: new Date() }
  await db.upsert(SiteSpaceCustomizationEntity, row, ['siteSpaceId'])
}

/** Lets a space of a site override nothing; false where it overrode nothing before. */
export async function removeOverrides(db: Db, of: { siteId: string; siteSpaceId: string }): Promise<boolean> {
  const { affected } = await db.delete(SiteSpaceCustomizationEntity, of)
  return affected === 1
}
