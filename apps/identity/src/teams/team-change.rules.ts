import { fieldFaults } from '@recto/operation'
import type { TeamRole } from './team-member.entity.ts'
import type { TeamMembership } from './team-members.repository.ts'

/** A requested change of a team's members; identifiers are user ids, or emails in any case. */
export interface TeamChange {
  add: string[]
  remove: string[]
  memberships: Record<string, { role: TeamRole }>
}

/** Who the identifiers of a change belong to. */
export interface KnownPeople {
  /** User ids of members of the organization. */
  members: Set<string>
  /** User ids of members of the organization by their email in lower case. */
  byEmail: Map<string, string>
  /** The members of the team before the change. */
  current: TeamMembership[]
}

/** The effects of a change; each person occurs once. */
export interface TeamPlan {
  set: TeamMembership[]
  remove: string[]
  /** Emails of people outside the organization, in lower case; with `keepsRole`, an email that is invited to the team already keeps its role. */
  invite: { email: string; role: TeamRole; keepsRole: boolean }[]
  /** Emails of people outside the organization whose invites to the team are withdrawn, in lower case. */
  withdraw: string[]
}

/** The distinct identifiers of a change. */
export function identifiersIn({ add, remove, memberships }: TeamChange): string[] {
  return [...new Set([...add, ...remove, ...Object.keys(memberships)])]
}

/**
 * Plans a change of a team's members. `remove` takes precedence over the rest; `memberships` sets the role and adds those who are
 * not in the team; `add` adds as member and keeps the role of those who are in the team. Throws `not_found` for user ids outside
 * the organization, except in `remove`.
 */
export function planTeamChange(change: TeamChange, people: KnownPeople): TeamPlan {
  const removed = new Set(change.remove.map(identifier => userIdOrEmail(identifier, people)))
  const current = new Map(people.current.map(({ userId, role }) => [userId, role]))
  const requestedRoles = new Map<string, { role: TeamRole; field: string; keepsRole: boolean }>()
  change.add.forEach((identifier, index) => {
    const key = userIdOrEmail(identifier, people)
    requestedRoles.set(key, { role: current.get(key) ?? 'member', field: `body.add.${index}`, keepsRole: true })
  })
  for (const [identifier, { role }] of Object.entries(change.memberships))
    requestedRoles.set(userIdOrEmail(identifier, people), {
      role,
      field: `body.memberships.${identifier}`,
      keepsRole: false,
    })
  const remaining = [...requestedRoles].filter(([key]) => !removed.has(key))
  const faults = remaining
    .filter(([key]) => !isEmail(key) && !people.members.has(key))
    .map(([, { field }]) => ({ path: field, message: 'is not a member of the organization' }))
  if (faults.length > 0) throw fieldFaults(faults, 'not_found')
  return {
    set: remaining
      .filter(([key, { role }]) => people.members.has(key) && current.get(key) !== role)
      .map(([userId, { role }]) => ({ userId, role })),
    remove: [...removed].filter(key => current.has(key)),
    invite: remaining
      .filter(([key]) => isEmail(key))
      .map(([email, { role, keepsRole }]) => ({ email, role, keepsRole })),
    withdraw: [...removed].filter(isEmail),
  }
}

/** The canonical identifier of a person: the user id of a member, else the email in lower case. */
function userIdOrEmail(identifier: string, { byEmail }: KnownPeople): string {
  if (!isEmail(identifier)) return identifier
  const email = identifier.toLowerCase()
  return byEmail.get(email) ?? email
}

/** Whether an identifier is an email; user ids contain no `@`. */
export function isEmail(identifier: string): boolean {
  return identifier.includes('@')
}
