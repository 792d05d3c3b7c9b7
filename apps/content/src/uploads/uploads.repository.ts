import { query, type Db } from '@recto/database'
import type { ContentHolder } from '../garbage/garbage.repository.ts'
import { UploadEntity, type UploadRow } from './upload.entity.ts'
import { pushLifetime, uploadLifetime } from './uploads.rules.ts'

/** An upload by id. */
export async function find(db: Db, id: string): Promise<UploadRow | undefined> {
  return (await db.findOneBy(UploadEntity, { id })) ?? undefined
}

/** Reads an upload and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<UploadRow | undefined> {
  return (await db.findOne(UploadEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** Writes a new upload. */
export async function insert(db: Db, row: UploadRow): Promise<void> {
  await db.insert(UploadEntity, row)
}

/** Records the blob of an upload. */
export async function setHash(db: Db, id: string, hash: string): Promise<void> {
  await db.update(UploadEntity, { id }, { hash })
}

/** Keeps an upload, and its blob, for the push that it is for. */
export async function retain(db: Db, id: string): Promise<void> {
  await db.update(UploadEntity, { id }, { expiresAt: new Date(Date.now() + pushLifetime) })
}

/** Lets an upload expire as if it had never been kept. */
export async function release(db: Db, id: string): Promise<void> {
  await query(db, `update uploads set expires_at = created_at + $2 * interval '1 millisecond' where id = $1`, [
    id,
    uploadLifetime,
  ])
}

/** Deletes some uploads that have expired; resolves to their number and the blobs that they held. */
export async function deleteExpired(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<{ deleted: number; hashes: string[] }> {
  const rows = await query<{ hash: string | null }>(
    db,
    `with expired as (
       select id from uploads where expires_at <= $1::timestamptz order by expires_at limit $2 for update skip locked
     ), deleted as (delete from uploads using expired where uploads.id = expired.id returning uploads.hash)
     select hash from deleted`,
    [now, limit],
  )
  return { deleted: rows.length, hashes: rows.flatMap(({ hash }) => (hash === null ? [] : [hash])) }
}

/** Subqueries for the uploads that hold a blob. */
export const uploadsHolding: ContentHolder = hash => [`select from uploads where uploads.hash = ${hash}`]

/** The blobs that uploads hold. */
export async function heldBlobs(db: Db): Promise<string[]> {
  const rows = await query<{ hash: string }>(db, 'select distinct hash from uploads where hash is not null')
  return rows.map(({ hash }) => hash)
}

/** Whether an upload holds a blob. */
export async function holdsBlob(db: Db, hash: string): Promise<boolean> {
  return db.existsBy(UploadEntity, { hash })
}
