import { atLeast, coversResource, membershipIn, roles, type Actor, type Role } from './actor.ts'

/** The role of every member on a resource: a role, the role on what is above (`inherit`), or no access (null). */
export type DefaultLevel = Role | 'inherit' | null

/** The default level and the grants of one resource. An ACL chain leads from the entry of a resource up through its parents. */
export interface AclEntry {
  id: string
  defaultLevel: DefaultLevel
  users: Record<string, Role>
  teams: Record<string, Role>
}

/** The source of a role: a grant to the user or to a team, a default level, or the role in the organization. */
export type RoleSource = 'member' | 'team' | 'default' | 'organization'

/** A role with what decides it; `team` is the id of the team whose grant it is. */
export interface DecidedRole {
  role: Role | null
  source: RoleSource
  team?: string
}

/**
 * Resolves the role of a user on a resource from the nearest entry of its ACL chain with a grant to them, or with a default level other
 * than `inherit`. Organization admins are admin everywhere, and nothing reduces it. A user outside the organization has no role,
 * whatever grants remain, and neither has a token that is limited to other resources than those of the chain.
 */
export function decideRole(actor: Actor, organization: string, chain: readonly AclEntry[]): DecidedRole {
  const isCovered = coversResource(
    actor,
    chain.map(({ id }) => id),
  )
  const membership = isCovered ? membershipIn(actor, organization) : undefined
  if (!membership || membership.role === 'admin') return { role: membership?.role ?? null, source: 'organization' }
  for (const entry of chain) {
    const grant = grantOn(entry, actor.userId, membership.teams)
    if (grant) return grant
    const { defaultLevel } = entry
    if (defaultLevel !== 'inherit') return { role: membership.role && defaultLevel, source: 'default' }
  }
  return { role: membership.role, source: 'organization' }
}

/** The role that `decideRole` finds. */
export function effectiveRole(actor: Actor, organization: string, chain: readonly AclEntry[]): Role | null {
  return decideRole(actor, organization, chain).role
}

/** Whether a role change exceeds the role of the caller: to a role above theirs, or from such a role unless `mayLower`. */
export function exceedsRole(
  own: Role,
  { before, after }: { before: Role | null; after: Role | null },
  mayLower: boolean,
): boolean {
  const isAbove = (role: Role | null) => role !== null && !atLeast(own, role)
  return before !== after && (isAbove(after) || (!mayLower && isAbove(before)))
}

/** The grant that counts on an entry: that to the user, else the highest to one of their teams. */
function grantOn(entry: AclEntry, userId: string, teams: readonly string[]): DecidedRole | undefined {
  if (Object.hasOwn(entry.users, userId)) return { role: entry.users[userId] as Role, source: 'member' }
  const grants = teams.flatMap(
    team => (Object.hasOwn(entry.teams, team) ? [[team, entry.teams[team] as Role]] : []) as [string, Role][],
  )
  const [highest] = grants.sort(([, a], [, b]) => roles.indexOf(b) - roles.indexOf(a))
  return highest && { role: highest[1], source: 'team', team: highest[0] }
}
