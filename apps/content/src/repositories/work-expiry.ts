import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import * as work from './repository-work.repository.ts'

const hour = 3_600_000
/** Hours for which git-worker can ask for the outcome of an operation; after that it is applied again, which makes no revision without changes. */
const keptHours = 30 * 24

/** Deletes the outcomes of git operations that ended a month ago, every hour. */
export function workExpiry(db: Db): PeriodicWork {
  return {
    name: 'delete outcomes of git operations',
    every: hour,
    run: () => work.deleteBefore(db, new Date(Date.now() - keptHours * hour)),
  }
}
