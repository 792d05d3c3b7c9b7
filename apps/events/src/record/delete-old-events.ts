import type { PeriodicWork, RunTransaction } from '@recto/service'
import * as repository from './events.repository.ts'

/** Organizations of one look, and events that one transaction deletes. */
const organizationsAtOnce = 100
const batch = 5_000
const hour = 3_600_000

/** Deletes events that are older than the retention; the chain of an organization goes on from the last that is gone. */
export function oldEventDeletion(transaction: RunTransaction, retention: number): PeriodicWork {
  return {
    name: 'delete old events',
    every: hour,
    run: async signal => {
      const before = new Date(Date.now() - retention)
      const deleteSome = (organizationId: string) =>
        transaction(tx => repository.deleteOlder(tx, { organizationId, before, limit: batch }))
      while (!signal.aborted) {
        const organizations = await transaction(tx =>
          repository.organizationsWithOlder(tx, before, organizationsAtOnce),
        )
        for (const organization of organizations) while (!signal.aborted && (await deleteSome(organization))) continue
        if (organizations.length < organizationsAtOnce) return
      }
    },
  }
}
