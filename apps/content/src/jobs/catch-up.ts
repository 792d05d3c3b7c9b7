import type { Db } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import { recordFormerPaths } from '../former-paths/record-former-paths.ts'
import { findStale } from '../projection/main-projections.repository.ts'
import { projectMain, type ProjectionTools } from '../projection/project-main.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { fillPlaces } from '../search/fill-places.ts'
import { findUnplacedSpaces } from '../search/search-index.repository.ts'

const hour = 3_600_000

/** Dependencies of the catch-up. */
export interface CatchUpTools {
  db: Db
  transaction: RunTransaction
  projection: ProjectionTools
}

/**
 * Brings the projections of all spaces up to date with their main content, also of spaces older than the projections or a column of them,
 * and of spaces whose event could not be handled. Returns the number of projected spaces; the failure of one space does not stop the
 * others, and is thrown at the end.
 */
export async function catchUp({ db, transaction, projection }: CatchUpTools, signal?: AbortSignal): Promise<number> {
  const failures: unknown[] = []
  let projectedCount = 0
  for await (const rows of spaces.eachBatch(db)) {
    const ids = rows.map(({ id }) => id)
    for (const id of new Set([...(await findStale(db, rows)), ...(await findUnplacedSpaces(db, ids))])) {
      if (signal?.aborted) return projectedCount
      const work = bringUpToDate(id, { transaction, projection }, signal)
      const isProjected = await work.catch((error: unknown) => void failures.push(error))
      if (isProjected) projectedCount += 1
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'Search and links of some spaces could not be brought up to date')
  return projectedCount
}

/** Projects the main content of a space and records its former paths, in several transactions when its history is long. */
async function bringUpToDate(
  id: string,
  { transaction, projection }: Omit<CatchUpTools, 'db'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const isProjected = await transaction(tx => projectMain(tx, id, projection))
  await transaction(tx => fillPlaces(tx, id))
  while (!signal?.aborted && (await transaction(tx => recordFormerPaths(tx, id))));
  return isProjected
}

/** The job that catches up when the service starts, and then hourly. */
export function catchUpJob(tools: CatchUpTools): PeriodicWork {
  return { name: 'catch up with main content', every: hour, run: async signal => void (await catchUp(tools, signal)) }
}
