import { identityEvents } from '@recto/contracts'
import { type Transaction } from '@recto/database'
import type { Role } from '@recto/actor'
import type { TeamRole } from './team-member.entity'
import * as teams from './team-members.repository'
import * as members from './members.repository.ts'

/** Somebody who becomes a member. */
export interface Newcomer {
  userId: string
  role: Role | null
  sso?: boolean
  teams?: { team: string; role: TeamRole }[]
}

/** How somebody becomes a member. */
export interface Joining extends Newcomer {
  organization: string
}

/**
 * Makes a user a member, in the caller's transaction. Who is one already keeps role and teams: no invite, domain or sign-in
 * ever lowers or raises anybody.
 */
export async function join(tx: Transaction, { organization, ...newcomer }: Joining): Promise<void> {
  await joinAll(tx, organization, [newcomer])
}

/** Makes users members as `join` does, in statements that do not grow with them; returns who was none before too. */
export async function joinAll(tx: Transaction, organization: string, newcomers: Newcomer[]): Promise<string[]> {
  const inserted = await members.insertMissing(
    tx,
    organization,
    newcomers.map(({ userId, role, sso = false }) => ({ userId, role, sso })),
  )
  const joined = newcomers.filter(({ userId }) => inserted.has(userId))
  const added = joined.map(({ userId }) => userId)
  if (added.length === 0) return []
  for (const [team, places] of placesByTeam(joined)) await teams.set(tx, { organization, team }, places)
  await tx.publish(identityEvents.actorChanged, { userIds: added })
  return added
}

function placesByTeam(joined: Newcomer[]): Map<string, teams.Place[]> {
  const places = joined.flatMap(({ userId, teams: joins = [] }) =>
    joins.map(({ team, role }) => ({ team, userId, role })),
  )
  const names = new Set(places.map(({ team }) => team))
  return new Map(
    [...names].map(name => [
      name,
      places.filter(({ team }) => team === name).map(({ userId, role }) => ({ userId, role })),
    ]),
  )
}
