import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import * as repository from './agent-feedback.repository.ts'

const hour = 3_600_000

/** Deletes feedback hourly, once its count is kept no more. */
export function feedbackRetentionJob(db: Db, days: number): PeriodicWork {
  return {
    name: 'forget feedback of agents',
    every: hour,
    run: () => repository.deleteBefore(db, new Date(Date.now() - days * 24 * hour)),
  }
}
