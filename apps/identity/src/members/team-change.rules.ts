import { Failure } from '@recto/operation'
import type { TeamRole } from './team-member.entity'
import type { Place } from './team-members.repository'

/** What a caller asks for: identifiers are user ids or e-mails, in any case. */
export interface TeamChange {
  add: string[]
  remove: string[]
  memberships: Record<string, { role: TeamRole }>
}

/** What is known of the people that a change names. */
export interface Known {
  /** Ids of members of the organization. */
  members: Set<string>
  /** Ids of members of the organization by their e-mail, lower case. */
  byEmail: Map<string, string>
  /** Who is in the team now. */
  current: Place[]
}

/** What to do, each person once. */
export interface TeamPlan {
  set: Place[]
  remove: string[]
  /** E-mails of nobody in the organization, lower case, each once; `keeps`: one that waits for the team already keeps its role. */
  invite: { email: string; role: TeamRole; keeps: boolean }[]
  /** E-mails of nobody in the organization that may wait for the team, lower case. */
  withdraw: string[]
}

/** Every identifier that a change names. */
export function namedIn({ add, remove, memberships }: TeamChange): string[] {
  return [...new Set([...add, ...remove, ...Object.keys(memberships)])]
}

/**
 * Decides what a change of a team's members does. `remove` wins over everything; `memberships` sets the role and adds who is
 * missing; `add` adds as member and leaves the role of who is in the team. Throws `not_found` for an id of nobody in the
 * organization, unless it is only to be removed.
 */
export function planTeamChange(change: TeamChange, known: Known): TeamPlan {
  const removed = new Set(change.remove.map(identifier => keyOf(identifier, known)))
  const current = new Map(known.current.map(place => [place.userId, place.role]))
  const wanted = new Map<string, { role: TeamRole; field: string; keeps: boolean }>()
  change.add.forEach((identifier, index) => {
    const key = keyOf(identifier, known)
    wanted.set(key, { role: current.get(key) ?? 'member', field: `body.add.${index}`, keeps: true })
  })
  for (const [identifier, { role }] of Object.entries(change.memberships))
    wanted.set(keyOf(identifier, known), { role, field: `body.memberships.${identifier}`, keeps: false })
  const kept = [...wanted].filter(([key]) => !removed.has(key))
  const faults = kept
    .filter(([key]) => !isEmail(key) && !known.members.has(key))
    .map(([, { field }]) => ({ path: field, message: 'is not a member of the organization' }))
  if (faults[0]) throw new Failure('not_found', `${faults[0].path}: ${faults[0].message}`, { details: faults })
  return {
    set: kept
      .filter(([key, { role }]) => known.members.has(key) && current.get(key) !== role)
      .map(([userId, { role }]) => ({ userId, role })),
    remove: [...removed].filter(key => current.has(key)),
    invite: kept.filter(([key]) => isEmail(key)).map(([email, { role, keeps }]) => ({ email, role, keeps })),
    withdraw: [...removed].filter(isEmail),
  }
}

/** One person has one key, whichever way they are named: the user id, else the e-mail in lower case. */
function keyOf(identifier: string, { byEmail }: Known): string {
  if (!isEmail(identifier)) return identifier
  const email = identifier.toLowerCase()
  return byEmail.get(email) ?? email
}

/** Ids have no `@`. */
export function isEmail(identifier: string): boolean {
  return identifier.includes('@')
}
