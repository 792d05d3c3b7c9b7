import { identityEvents } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import * as repository from './teams.repository.ts'

/** Deletes a team, records that and publishes it; one that is not there is left as it is. */
export async function deleteTeam(tx: Transaction, key: repository.TeamKey): Promise<void> {
  const userIds = await repository.remove(tx, key)
  if (!userIds) return
  await tx.publish(identityEvents.actorChanged, { userIds })
  await tx.publish(identityEvents.teamDeleted, { ...key, at: new Date().toISOString() })
  tx.record(recorded('team.deleted', { ...key, details: { members: userIds.length } }))
}
