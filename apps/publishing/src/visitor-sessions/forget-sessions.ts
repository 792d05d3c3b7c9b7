import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import * as repository from './visitor-sessions.repository.ts'

const hour = 3_600_000

/** Forgets hourly the sessions that have expired, and sign-ins and logouts that are too old to count. */
export function visitorSessionsCleanup(db: Db): PeriodicWork {
  return {
    name: 'forget sessions of visitors',
    every: hour,
    run: () => repository.forget(db, new Date(Date.now() - hour)),
  }
}
