import { maxVisitorGrant } from '@recto/actor/site-version'
import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import * as sites from './sites.repository.ts'

const hour = 3_600_000

/** Purges deleted sites hourly, once all tokens and downloads of their visitors have expired. */
export function deletedSitesCleanup(db: Db): PeriodicWork {
  return {
    name: 'forget deleted sites',
    every: hour,
    run: () => sites.forgetDeleted(db, new Date(Date.now() - 2 * maxVisitorGrant)),
  }
}
