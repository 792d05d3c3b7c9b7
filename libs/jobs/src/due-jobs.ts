import { query, untilEarliest, type Db } from '@recto/database'
import { columnOf, tableOf } from './columns.ts'
import type { DueJobs } from './job-table.ts'

/** Due jobs that one look orders by turns: with more, those that are due longest. */
const maxCandidates = 5_000

/** A job that is due. */
export interface DueJob {
  key: string
  /** Whom it is for. */
  group: string | null
}

/** Which due jobs are looked for. */
export interface DueOptions {
  limit: number
  /** Keys that are left out. */
  except?: readonly string[]
  /** Groups that are left out. */
  exceptGroups?: readonly string[]
  /** Jobs of each group. */
  perGroup?: number
}

/**
 * Finds jobs that are due and that no attempt works on. Groups take turns, and what is worked on for a group counts: one with many or slow
 * jobs does not keep the others waiting. Within a group, what is due longest comes first.
 */
export async function findDue<Row extends object>(
  db: Db,
  table: DueJobs<Row>,
  { limit, except = [], exceptGroups = [], perGroup = limit }: DueOptions,
): Promise<DueJob[]> {
  const { open, due, isTaken, group = 'null::text' } = table
  const from = `from ${tableOf(table.entity)} job where ${open}`
  return query<DueJob>(
    db,
    `with due as (
       select job.${columnOf(table.entity, table.key)} as key, ${group} as of, ${due} as due ${from} and ${due} <= now()
       order by 3 limit ${maxCandidates}
     ), busy as (
       select ${group} as of, count(*) as count ${from} and ${isTaken} and ${due} > now() group by 1
     ), ranked as (
       select key, of, due, row_number() over (partition by of order by due, key) as place,
         coalesce((select count from busy where busy.of is not distinct from due.of), 0) as busy
       from due where key <> all($2::text[]) and (of is null or of <> all($3::text[]))
     )
     select key, of as group from ranked where place <= $4 order by busy + place, due, key limit $1`,
    [limit, except, exceptGroups, perGroup],
  )
}

/** Of jobs, those that are due. */
export async function keysDue<Row extends object>(
  db: Db,
  { entity, key, open, due }: DueJobs<Row>,
  keys: readonly string[],
): Promise<Set<string>> {
  const column = `job.${columnOf(entity, key)}`
  const rows = await query<{ key: string }>(
    db,
    `select ${column} as key from ${tableOf(entity)} job where ${column} = any($1) and ${open} and ${due} <= now()`,
    [keys],
  )
  return new Set(rows.map(({ key }) => key))
}

/** Milliseconds until a job is due, or the lease of one ends; infinite when there is none. */
export function untilDue<Row extends object>(db: Db, { entity, open, due }: DueJobs<Row>): Promise<number> {
  return untilEarliest(db, `select ${due} from ${tableOf(entity)} job where ${open}`)
}
