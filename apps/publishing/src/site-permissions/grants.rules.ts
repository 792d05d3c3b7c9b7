import type { Role } from '@recto/actor'
import type { SiteGrants } from '../site-access/site-access.policy.ts'
import type { Subject } from '../site-access/site-grant.entity.ts'

/** The role that a user or team was granted on a site, if any. */
export function grantTo({ users, teams }: SiteGrants, { subject, subjectId }: Subject): Role | null {
  const granted = subject === 'user' ? users : teams
  return Object.hasOwn(granted, subjectId) ? (granted[subjectId] ?? null) : null
}

/** The grants on a site after these users and teams are granted a role, or lose their grants (null). */
export function grantsAfter(grants: SiteGrants, subjects: readonly Subject[], role: Role | null): SiteGrants {
  const changed = (kind: Subject['subject'], before: Record<string, Role>) => {
    const ids = new Set(subjects.flatMap(({ subject, subjectId }) => (subject === kind ? [subjectId] : [])))
    const others = Object.entries(before).filter(([id]) => !ids.has(id))
    return Object.fromEntries(role === null ? others : [...others, ...[...ids].map(id => [id, role] as const)])
  }
  return { users: changed('user', grants.users), teams: changed('team', grants.teams) }
}
