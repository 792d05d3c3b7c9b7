import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { In } from 'typeorm'
import { findWaitingRows, untilRowWaits } from '../queues/queued-rows.repository.ts'
import { TranslationRunEntity, type TranslationRunRow } from './translation-run.entity.ts'

const columns = columnsOf(TranslationRunEntity, 'translation_runs')

/** A run by id. */
export async function find(db: Db, id: string): Promise<TranslationRunRow | undefined> {
  return (await db.findOneBy(TranslationRunEntity, { id })) ?? undefined
}

/** Reads a run and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<TranslationRunRow | undefined> {
  return (await db.findOne(TranslationRunEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** The run of a translation that has not ended, if there is one. */
export async function findOpen(db: Db, translationId: string): Promise<TranslationRunRow | undefined> {
  const where = { translationId, state: In(['queued', 'running']) }
  return (await db.findOneBy(TranslationRunEntity, where)) ?? undefined
}

/** Writes a new run. */
export async function insert(db: Db, row: TranslationRunRow): Promise<void> {
  await db.insert(TranslationRunEntity, row)
}

/** Changes a run. */
export async function update(db: Db, id: string, changes: Partial<TranslationRunRow>): Promise<void> {
  await db.update(TranslationRunEntity, { id }, changes)
}

/** Changes a run whose lease this attempt holds; false when it does not, or when the run was cancelled. */
export async function updateLeased(
  db: Db,
  held: { id: string; attempt: number },
  changes: Partial<TranslationRunRow>,
): Promise<boolean> {
  const where = { id: held.id, state: 'running' as const, attempts: held.attempt }
  const { affected } = await db.update(TranslationRunEntity, where, changes)
  return affected === 1
}

/** The runs of a translation, the newest first. */
export async function listOf(
  db: Db,
  translationId: string,
  request: ListRequest,
): Promise<ListPage<TranslationRunRow>> {
  const sql = `select ${columns} from translation_runs where translation_id = $1`
  return listPage<TranslationRunRow>(db, { sql, values: [translationId], ...newestFirst }, request)
}

/** Ids of runs that nobody works on: queued ones, and those without a sign of life for so many milliseconds. */
export function findWaiting(db: Db, silence: number): Promise<string[]> {
  return findWaitingRows(db, 'translation_runs', silence)
}

/** Milliseconds until `findWaiting` finds one. */
export function untilWaiting(db: Db, silence: number): Promise<number> {
  return untilRowWaits(db, 'translation_runs', silence)
}

/** Whether any run is at work: it stores documents before a revision references them. */
export async function hasRunningTranslations(db: Db): Promise<boolean> {
  return db.existsBy(TranslationRunEntity, { state: 'running' })
}

/** Ids of the sources and targets of runs that are at work. */
export async function spacesWithRunningTranslations(db: Db): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select unnest(array[source_space_id, target_space_id]) as id from translations
     where exists (select from translation_runs where translation_id = translations.id and state = 'running')`,
    [],
  )
  return rows.map(({ id }) => id)
}
