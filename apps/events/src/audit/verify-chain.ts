import type { Db } from '@recto/database'
import { chainHash } from '../record/chain.rules.ts'
import * as repository from '../record/events.repository.ts'

/** Events that are read at once. */
const batch = 1_000

/** The first fault of a chain: which event, and what is wrong with it. */
export interface ChainFault {
  sequence: number
  fault: 'missing' | 'changed' | 'more than counted'
}

interface Verdict {
  events: number
  fault?: ChainFault
}

/**
 * Checks the chain of an organization from its oldest event to its newest; resolves to the number of events, and the first fault. It reads
 * one snapshot, because events are appended and old ones deleted meanwhile.
 */
export async function verifyChain(db: Db, organizationId: string): Promise<Verdict> {
  return db.transaction('REPEATABLE READ', tx => verifySnapshot(tx, organizationId))
}

async function verifySnapshot(db: Db, organizationId: string): Promise<Verdict> {
  const { last, lastHash, deletedUpTo, deletedHash } = await repository.findSequence(db, organizationId)
  let before = { sequence: deletedUpTo, hash: deletedHash }
  for (;;) {
    const rows = await repository.listAfter(db, { organizationId, after: before.sequence }, batch)
    for (const row of rows) {
      const sequence = before.sequence + 1
      const events = before.sequence - deletedUpTo
      if (row.sequence !== sequence) return { events, fault: { sequence, fault: 'missing' } }
      if (!chainHash(before.hash, row).equals(row.hash)) return { events, fault: { sequence, fault: 'changed' } }
      before = row
    }
    if (rows.length < batch) break
  }
  const events = before.sequence - deletedUpTo
  if (before.sequence < last) return { events, fault: { sequence: before.sequence + 1, fault: 'missing' } }
  if (before.sequence > last) return { events, fault: { sequence: last + 1, fault: 'more than counted' } }
  return before.hash.equals(lastHash) ? { events } : { events, fault: { sequence: last, fault: 'changed' } }
}
