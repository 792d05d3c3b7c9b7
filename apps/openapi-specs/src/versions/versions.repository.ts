import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { Failure } from '@recto/operation'
import { In, LessThan } from 'typeorm'
import { UnusedContentEntity } from './unused-content.entity.ts'
import { type RawFormat, VersionEntity, type VersionRow } from './version.entity.ts'

const columns = columnsOf(VersionEntity, 'openapi_spec_versions')

/** The versions of a specification, the newest first. */
export async function list(db: Db, specId: string, request: ListRequest): Promise<ListPage<VersionRow>> {
  const sql = `select ${columns} from openapi_spec_versions where spec_id = $1`
  return listPage<VersionRow>(db, { sql, values: [specId], ...newestFirst }, request)
}

/** A version of a specification; throws `not_found`, also for null. */
export async function get(db: Db, { specId, id }: { specId: string; id: string | null }): Promise<VersionRow> {
  const version = id === null ? null : await db.findOneBy(VersionEntity, { specId, id })
  if (!version) throw new Failure('not_found', 'There is no such version of the specification')
  return version
}

/** Writes a new version. */
export async function insert(db: Db, version: VersionRow): Promise<void> {
  await db.insert(VersionEntity, version)
  await db.delete(UnusedContentEntity, { hash: In(contentsOf(version)) })
}

/** Writes the text of a version that was written without it. */
export async function setRaw(db: Db, id: string, raw: { rawHash: string; rawFormat: RawFormat }): Promise<void> {
  await db.update(VersionEntity, { id }, raw)
  await db.delete(UnusedContentEntity, { hash: raw.rawHash })
}

/** The hashes of the contents of a version. */
function contentsOf({ hash, rawHash }: Pick<VersionRow, 'hash' | 'rawHash'>): string[] {
  return rawHash === null ? [hash] : [hash, rawHash]
}

/** Locks a content until the transaction ends: it is stored and deleted by one at a time. */
export async function lockContent(db: Db, hash: string): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [hash])
}

/** Remembers the contents of a specification as unused, before its versions are deleted. */
export async function markUnused(db: Db, specId: string): Promise<void> {
  const since = new Date()
  const versions = await db.find(VersionEntity, { select: { hash: true, rawHash: true }, where: { specId } })
  const rows = [...new Set(versions.flatMap(contentsOf))].map(hash => ({ hash, since }))
  if (rows.length > 0) await db.upsert(UnusedContentEntity, rows, ['hash'])
}

/** The contents that have been unused since before a time. */
export async function unusedSince(db: Db, before: Date): Promise<string[]> {
  const rows = await db.find(UnusedContentEntity, { where: { since: LessThan(before) }, take: 100 })
  return rows.map(({ hash }) => hash)
}

/** Whether any version has a content, or was read from it. */
export async function isUsed(db: Db, hash: string): Promise<boolean> {
  return db.existsBy(VersionEntity, [{ hash }, { rawHash: hash }])
}

/** Forgets that a content was unused. */
export async function forgetUnused(db: Db, hash: string): Promise<void> {
  await db.delete(UnusedContentEntity, { hash })
}

/** The last versions of specifications that have any. */
export async function findLast(db: Db, specs: { lastVersion: string | null }[]): Promise<VersionRow[]> {
  return db.findBy(VersionEntity, { id: In(specs.flatMap(({ lastVersion }) => lastVersion ?? [])) })
}
