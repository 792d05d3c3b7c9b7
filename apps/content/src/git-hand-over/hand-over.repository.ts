import { type Db, query } from '@recto/database'

/** The tables that are handed over to git-worker. */
export type HandedOverTable = 'git_operations' | 'git_syncs'

/** Number of rows of one page. */
const pageSize = 100

/** Whether writing of the tables has ended. */
export async function isHandedOver(db: Db): Promise<boolean> {
  const triggers = await query(db, `select from pg_trigger where tgname = 'refuse_handed_over'`)
  return triggers.length > 0
}

/**
 * Ends all writing of the tables for good, after waiting for transactions of the version before that write them. The triggers are not part
 * of a migration, so that a backup can be restored.
 */
export async function endWriting(db: Db): Promise<void> {
  for (const table of ['git_operations', 'git_syncs'])
    await query(
      db,
      `create or replace trigger refuse_handed_over before insert or update on ${table}
       for each row execute function refuse_handed_over()`,
    )
}

/** Lists the ids of outbox messages that are jobs of these rows: of operations that have not ended, and of polls. */
export async function listOpenJobs(db: Db): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select id from git_operations where dispatched and state in ('queued', 'running')
     union all select id from git_syncs where poll_id is not null`,
  )
  return rows.map(({ id }) => id)
}

const page = `where id > $1 order by id limit $2`
const pageSql: Record<HandedOverTable, string> = {
  git_operations: `select to_jsonb(git_operations) as row from git_operations ${page}`,
  git_syncs: `select to_jsonb(git_syncs) as row from git_syncs ${page}`,
}

/** Lists the rows after an id, in the order of their ids, as JSON with the names of the columns. */
export async function listRows(db: Db, table: HandedOverTable, after: string): Promise<Record<string, unknown>[]> {
  const rows = await query<{ row: Record<string, unknown> }>(db, pageSql[table], [after, pageSize])
  return rows.map(({ row }) => row)
}
