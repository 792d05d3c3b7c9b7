import { query, type Db } from '@recto/database'
import { Any } from 'typeorm'
import type { ContentHolder } from '../garbage/garbage.repository.ts'
import { FontEntity, type FontRow } from './font.entity.ts'

/** All fonts of an organization, or those of these ids, sorted by family. */
export async function list(db: Db, organizationId: string, ids?: readonly string[]): Promise<FontRow[]> {
  const where = { organizationId, ...(ids && { id: Any([...ids]) }) }
  return db.find(FontEntity, { where, order: { family: 'ASC', id: 'ASC' } })
}

/** A font of an organization, locked until the transaction ends. */
export async function lock(db: Db, organizationId: string, id: string): Promise<FontRow | undefined> {
  const where = { organizationId, id }
  return (await db.findOne(FontEntity, { where, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** Number of fonts of an organization. */
export async function count(db: Db, organizationId: string): Promise<number> {
  return db.countBy(FontEntity, { organizationId })
}

/** Writes a new font, or one that has changed. */
export async function save(db: Db, font: FontRow): Promise<void> {
  await db.save(FontEntity, font)
}

/** Deletes a font. */
export async function remove(db: Db, id: string): Promise<void> {
  await db.delete(FontEntity, { id })
}

/** Subqueries for the fonts that hold a blob. */
export const fontsHolding: ContentHolder = hash => [
  `select from custom_fonts where faces @> jsonb_build_array(jsonb_build_object('hash', ${hash}))`,
]

/** The blobs that fonts hold. */
export async function heldBlobs(db: Db): Promise<string[]> {
  const rows = await query<{ hash: string }>(
    db,
    `select distinct face->>'hash' as hash from custom_fonts, jsonb_array_elements(faces) as face`,
  )
  return rows.map(({ hash }) => hash)
}

/** Whether a font holds a blob. */
export async function holdsBlob(db: Db, hash: string): Promise<boolean> {
  const rows = await query(db, `select from custom_fonts where faces @> $1::jsonb limit 1`, [
    JSON.stringify([{ hash }]),
  ])
  return rows.length > 0
}
