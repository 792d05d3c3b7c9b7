import { membershipIn, roles, type Actor, type Role } from '@recto/operation'

/** What is set on one object of the way from a space up through its collections. */
export interface Level {
  defaultLevel: Role | 'inherit' | null
  users: Record<string, Role>
  teams: Record<string, Role>
}

/**
 * The role of a user on a space or collection; the nearest level that says something wins. Organization admins are admin
 * everywhere and nothing reduces it.
 */
export function effectiveRole(actor: Actor, organization: string, levels: Level[]): Role | null {
  const membership = membershipIn(actor, organization)
  if (membership?.role === 'admin') return 'admin'
  for (const level of levels) {
    const granted = grantOn(level, actor.userId, membership?.teams ?? [])
    if (granted) return granted
    if (level.defaultLevel === null || !membership) return null
    if (level.defaultLevel !== 'inherit') return membership.role === null ? null : level.defaultLevel
  }
  return membership?.role ?? null
}

function grantOn(level: Level, userId: string, teams: string[]): Role | undefined {
  if (Object.hasOwn(level.users, userId)) return level.users[userId]
  const granted = teams.flatMap(team => (Object.hasOwn(level.teams, team) ? [level.teams[team] as Role] : []))
  return granted.sort((a, b) => roles.indexOf(b) - roles.indexOf(a))[0]
}
