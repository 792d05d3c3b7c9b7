import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { recordForUser } from '../members/member-records.ts'
import * as sessions from './sessions.repository.ts'

/** Ends a session of its owner, and records that; one that has ended, or is of somebody else, is left as it is. */
export async function endSession(tx: Transaction, session: string, owner: sessions.SessionOwner): Promise<void> {
  if (!(await sessions.remove(tx, session, owner))) return
  await recordForUser(tx, owner.userId, place => recorded('session.ended', { ...place, session }))
}
