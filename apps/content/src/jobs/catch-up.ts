import type { Db } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import { findBehind } from '../branches/projection/main-projections.repository.ts'
import { projectMain, type ProjectionTools } from '../branches/projection/project-main.ts'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'

const hour = 3_600_000
/** Spaces that are compared by one statement. */
const batch = 500

/** What the catch-up works with. */
export interface CatchUpTools {
  db: Db
  transaction: RunTransaction
  projection: ProjectionTools
}

/**
 * Brings the projections of all spaces to their main content: of those from before there were projections, and of those whose
 * event could not be handled. Returns how many were behind; one that fails does not keep the others back, and is thrown at the end.
 */
export async function catchUp({ db, transaction, projection }: CatchUpTools, signal?: AbortSignal): Promise<number> {
  const failures: unknown[] = []
  let caughtUp = 0
  for (let after = '', rows; ; after = rows.at(-1)?.id ?? '') {
    rows = await spaces.listRevisions(db, { after, limit: batch })
    for (const id of await findBehind(db, rows)) {
      if (signal?.aborted) return caughtUp
      const project = transaction(tx => projectMain(tx, id, projection))
      const isProjected = await project.catch((error: unknown) => void failures.push(error))
      if (isProjected) caughtUp += 1
    }
    if (rows.length < batch) break
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'Search and links of some spaces could not be brought up to date')
  return caughtUp
}

/** Catches up when the service starts and then hourly. */
export function catchUpSchedule(tools: CatchUpTools): PeriodicWork {
  return { name: 'catch up with main content', every: hour, run: async signal => void (await catchUp(tools, signal)) }
}
