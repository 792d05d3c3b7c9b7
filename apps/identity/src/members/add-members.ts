import { identityEvents } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import type { Role } from '@recto/actor'
import * as members from './members.repository.ts'
import type { TeamRole } from '../teams/team-member.entity.ts'
import { setTeamMembers } from '../teams/change-team-members.ts'
import type * as teamMembers from '../teams/team-members.repository.ts'

/** A user to add to an organization; a role of null makes a guest. */
export interface NewMember {
  userId: string
  role: Role | null
  sso?: boolean
  teams?: { team: string; role: TeamRole }[]
}

/** The same, with the organization. */
export interface NewMembership extends NewMember {
  organization: string
}

/**
 * Makes a user a member, in the caller's transaction. Existing members keep their role and teams, so no invite, domain or sign-in
 * changes what somebody may do.
 */
export async function addMember(tx: Transaction, { organization, ...member }: NewMembership): Promise<void> {
  await addMembers(tx, organization, [member])
}

/**
 * Adds users as members, with their teams, records that and publishes `actorChanged` for them; returns their ids. Existing members keep their role and
 * teams. The number of statements depends on the number of teams, not of users.
 */
export async function addMembers(tx: Transaction, organization: string, newMembers: NewMember[]): Promise<string[]> {
  const inserted = await members.insertMissing(
    tx,
    organization,
    newMembers.map(({ userId, role, sso = false }) => ({ userId, role, sso })),
  )
  const addedMembers = newMembers.filter(({ userId }) => inserted.has(userId))
  const added = addedMembers.map(({ userId }) => userId)
  if (added.length === 0) return []
  for (const { userId: user, role, sso = false } of addedMembers)
    tx.record(recorded('member.added', { organization, user, details: { role, sso } }))
  for (const [team, memberships] of membershipsByTeam(addedMembers))
    await setTeamMembers(tx, { organization, team }, memberships)
  await tx.publish(identityEvents.actorChanged, { userIds: added })
  return added
}

function membershipsByTeam(added: NewMember[]): Map<string, teamMembers.TeamMembership[]> {
  const memberships = added.flatMap(({ userId, teams = [] }) => teams.map(({ team, role }) => ({ team, userId, role })))
  const teams = new Set(memberships.map(({ team }) => team))
  return new Map(
    [...teams].map(id => [
      id,
      memberships.filter(({ team }) => team === id).map(({ userId, role }) => ({ userId, role })),
    ]),
  )
}
