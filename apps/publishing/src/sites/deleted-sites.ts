import { maxVisitorGrant } from '@recto/actor/site-version'
import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import * as sites from './sites.repository.ts'

const hour = 3_600_000

/** Forgets deleted sites, hourly, when whatever visitors of them were given has expired. */
export function forgettingOfDeletedSites(db: Db): PeriodicWork {
  return {
    name: 'forget deleted sites',
    every: hour,
    run: () => sites.forgetDeleted(db, new Date(Date.now() - 2 * maxVisitorGrant)),
  }
}
