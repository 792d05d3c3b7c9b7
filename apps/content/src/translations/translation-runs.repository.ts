import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { stateJobs } from '@recto/jobs'
import { In } from 'typeorm'
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

/** The runs of a translation, the newest first. */
export async function listOf(
  db: Db,
  translationId: string,
  request: ListRequest,
): Promise<ListPage<TranslationRunRow>> {
  const sql = `select ${columns} from translation_runs where translation_id = $1`
  return listPage<TranslationRunRow>(db, { sql, values: [translationId], ...newestFirst }, request)
}

/** Runs as jobs: one that shows no sign of life for ten seconds goes to another process. */
export const runJobs = stateJobs<TranslationRunRow>({
  entity: TranslationRunEntity,
  waiting: 'queued',
  running: 'running',
  leaseMs: 10_000,
  maxAttempts: 5,
  group: '(select organization_id from translations where translations.id = job.translation_id)',
})

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
