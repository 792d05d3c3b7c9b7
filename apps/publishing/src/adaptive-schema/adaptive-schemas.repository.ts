import type { Db } from '@recto/database'
import { AdaptiveSchemaEntity, type AdaptiveSchemaRow } from './adaptive-schema.entity.ts'

/** What is known of the visitors of a site; undefined when nobody has said. */
export async function find(db: Db, siteId: string): Promise<AdaptiveSchemaRow | undefined> {
  return (await db.findOneBy(AdaptiveSchemaEntity, { siteId })) ?? undefined
}

/** Sets what is known of the visitors of a site. */
export async function save(db: Db, row: AdaptiveSchemaRow): Promise<void> {
  await db.upsert(AdaptiveSchemaEntity, { ...row, jsonSchema: row.jsonSchema as never }, ['siteId'])
}
