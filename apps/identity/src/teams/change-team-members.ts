import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import * as teamMembers from './team-members.repository.ts'
import type { TeamKey } from './teams.repository.ts'

/** Adds members to a team, and gives the role to those who are in it already; records what changed. */
export async function setTeamMembers(
  tx: Transaction,
  { organization, team }: TeamKey,
  memberships: teamMembers.TeamMembership[],
): Promise<void> {
  for (const { userId: user, role, isNew } of await teamMembers.upsert(tx, { organization, team }, memberships)) {
    const type = isNew ? 'team.member.added' : 'team.member.updated'
    tx.record(recorded(type, { organization, team, user, details: { role } }))
  }
}

/** Removes users from a team, and records that of those who were in it. */
export async function removeTeamMembers(
  tx: Transaction,
  { organization, team }: TeamKey,
  userIds: string[],
): Promise<void> {
  for (const user of await teamMembers.remove(tx, { organization, team }, userIds))
    tx.record(recorded('team.member.removed', { organization, team, user }))
}
