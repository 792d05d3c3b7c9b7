import { longestVisitorToken } from '@recto/actor/visitor-token'
import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import * as sites from './sites.repository.ts'

const hour = 3_600_000

/** Forgets deleted sites, hourly, whose visitor tokens have expired. */
export function forgettingOfDeletedSites(db: Db): PeriodicWork {
  return {
    name: 'forget deleted sites',
    every: hour,
    run: () => sites.forgetDeleted(db, new Date(Date.now() - 2 * longestVisitorToken)),
  }
}
