import type { Db } from '@recto/database'
import { AdaptiveSchemaEntity, type AdaptiveSchemaRow } from './adaptive-schema.entity.ts'

/** Finds the schema of the claims of a site's visitors; undefined when it has none. */
export async function find(db: Db, siteId: string): Promise<AdaptiveSchemaRow | undefined> {
  return (await db.findOneBy(AdaptiveSchemaEntity, { siteId })) ?? undefined
}

/** Sets what is known of the visitors of a site. */
export async function save(db: Db, row: AdaptiveSchemaRow): Promise<void> {
  await db.upsert(AdaptiveSchemaEntity, { ...row, jsonSchema: row.jsonSchema as never }, ['siteId'])
}
