import { query, type Db } from '@recto/database'
import { IsNull } from 'typeorm'
import { OAuthArtifactEntity, type OAuthArtifactRow } from './artifact.entity.ts'

/** Expired rows deleted with each insert: more than one, so that they do not accumulate, and few enough to be fast. */
const cleanupBatch = 100

/** An object by what it is, and the hash of its value. */
export type ArtifactKey = Pick<OAuthArtifactRow, 'kind' | 'hash'>

/** An object that has not expired. */
export async function find(db: Db, key: ArtifactKey): Promise<OAuthArtifactRow | undefined> {
  return current(await db.findOneBy(OAuthArtifactEntity, key))
}

/** The object of a device by the code that a person enters. */
export async function findByUserCode(db: Db, userCodeHash: string): Promise<OAuthArtifactRow | undefined> {
  return current(await db.findOneBy(OAuthArtifactEntity, { userCodeHash }))
}

/** Stores an object, or what has changed of it, and deletes some that have expired. */
export async function save(db: Db, row: OAuthArtifactRow): Promise<void> {
  await query(
    db,
    `delete from oauth_artifacts where (kind, hash) in (
       select kind, hash from oauth_artifacts where expires_at < now() order by expires_at limit ${cleanupBatch} for update skip locked
     )`,
  )
  await db.upsert(OAuthArtifactEntity, row, ['kind', 'hash'])
}

/** Marks an object as used; false when it was before, also by a concurrent request. */
export async function consume(db: Db, key: ArtifactKey): Promise<boolean> {
  const { affected } = await db.update(
    OAuthArtifactEntity,
    { ...key, consumedAt: IsNull() },
    { consumedAt: () => 'now()' },
  )
  return affected === 1
}

/** Deletes an object; undefined when it is not there any more. */
export async function take(db: Db, key: ArtifactKey): Promise<OAuthArtifactRow | undefined> {
  const row = await find(db, key)
  const { affected } = await db.delete(OAuthArtifactEntity, key)
  return affected === 1 ? row : undefined
}

/** All objects, for their encryption anew. */
export async function listKeys(db: Db): Promise<ArtifactKey[]> {
  return db.find(OAuthArtifactEntity, { select: { kind: true, hash: true } })
}

/** The sealed object of a row, locked until the transaction ends. */
export async function lock(db: Db, key: ArtifactKey): Promise<OAuthArtifactRow | undefined> {
  return (await db.findOne(OAuthArtifactEntity, { where: key, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** Replaces the sealed object of a row. */
export async function setPayload(db: Db, key: ArtifactKey, payload: Buffer): Promise<void> {
  await db.update(OAuthArtifactEntity, key, { payload })
}

function current(row: OAuthArtifactRow | null): OAuthArtifactRow | undefined {
  return row && row.expiresAt > new Date() ? row : undefined
}
