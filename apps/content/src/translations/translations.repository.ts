import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  newestFirst,
  query,
  untilEarliest,
} from '@recto/database'
import type { Role } from '@recto/actor'
import type { Viewer } from '../access/access.policy.ts'
import { callerValues } from '../access/roles.sql.ts'
import { readableSpacesCte } from '../resources/readable-spaces.sql.ts'
import { TranslationEntity, type TranslationRow } from './translation.entity.ts'

const columns = columnsOf(TranslationEntity, 'translations')

/** A translation by id. */
export async function find(db: Db, id: string): Promise<TranslationRow | undefined> {
  return (await db.findOneBy(TranslationEntity, { id })) ?? undefined
}

/** Reads a translation and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<TranslationRow | undefined> {
  return (await db.findOne(TranslationEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** Writes a new translation. */
export async function insert(db: Db, row: TranslationRow): Promise<void> {
  await db.insert(TranslationEntity, row)
}

/** Changes a translation. */
export async function update(db: Db, id: string, changes: Partial<TranslationRow>): Promise<void> {
  await db.update(TranslationEntity, { id }, changes)
}

/** Notes that the main content of a space has changed, for the translations of it. */
export async function noteSourceChange(db: Db, sourceSpaceId: string): Promise<void> {
  await db.update(TranslationEntity, { sourceSpaceId }, { sourceChangedAt: new Date() })
}

/** A translation that has run, and whose source has changed since the last run. */
const isOutdated = `status = 'completed' and not exists (
  select from translation_runs where translation_id = translations.id and created_at > source_changed_at)`

/** Ids of translations that have run, and whose source has changed since the last run and been quiet for so many milliseconds. */
export async function findOutdated(db: Db, quiet: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select id from translations where source_changed_at < now() - make_interval(secs => $1::float8 / 1000) and ${isOutdated}
     order by source_changed_at limit 100`,
    [quiet],
  )
  return rows.map(({ id }) => id)
}

/** Milliseconds until `findOutdated` finds a translation. */
export async function untilOutdated(db: Db, quiet: number): Promise<number> {
  const times = `select source_changed_at + make_interval(secs => $1::float8 / 1000) from translations where ${isOutdated}`
  return untilEarliest(db, times, [quiet])
}

/** Deletes a translation with its runs and its memory. */
export async function remove(db: Db, id: string): Promise<boolean> {
  return (await db.delete(TranslationEntity, { id })).affected === 1
}

/** A translation with the caller's role on its target, and the main content of the target. */
export type ListedTranslation = TranslationRow & { role: Role; targetRevision: string }

/** The translations of an organization whose source and target a caller can read; those of deleted spaces are left out. */
export async function listReadable(db: Db, viewer: Viewer, request: ListRequest): Promise<ListPage<ListedTranslation>> {
  const sql = `with recursive ${readableSpacesCte()}
    select ${columns}, target.role, target.revision as "targetRevision" from translations
    join readable_space target on target.id = translations.target_space_id
    join readable_space source on source.id = translations.source_space_id
    where translations.organization_id = $1`
  return listPage<ListedTranslation>(db, { sql, values: [...callerValues(viewer)], ...newestFirst }, request)
}
