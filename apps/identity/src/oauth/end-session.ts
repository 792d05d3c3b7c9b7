import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { recordForUser } from '../members/member-records.ts'
import * as sessions from './sessions.repository.ts'

/** Ends a session of its owner, and records that; one that has ended, or is of somebody else, is left as it is. */
export async function endSession(tx: Transaction, session: string, owner: sessions.SessionOwner): Promise<void> {
  if (!(await sessions.remove(tx, session, owner))) return
  await recordForUser(tx, owner.userId, place => recorded('session.ended', { ...place, session }))
}

/** Ends a session, whoever has signed in, and records that; nobody has in some. */
export async function endAnySession(tx: Transaction, session: string): Promise<void> {
  const row = await sessions.lock(tx, session)
  if (row?.userId) await endSession(tx, session, { userId: row.userId, sso: undefined })
}
