import { atLeast, type Role } from '@recto/actor'
import type { AclEntry } from './access.policy.ts'
import type { Subject } from './grant.entity.ts'

/** The ACL entries without the grants that cannot affect these subjects; everybody is affected when no subjects are given. */
export function restrictToSubjects(chain: AclEntry[], subjects: Subject[] | undefined): AclEntry[] {
  if (!subjects) return chain
  const named = new Set(subjects.flatMap(({ subject, subjectId }) => (subject === 'user' ? [subjectId] : [])))
  const ofNamed = ({ users }: AclEntry) => Object.fromEntries(Object.entries(users).filter(([user]) => named.has(user)))
  // Any user may be in a named team; but a user's grant on the resource itself takes precedence over all others.
  const hasTeams = subjects.some(({ subject }) => subject === 'team')
  return chain.map((entry, height) => (hasTeams && height > 0 ? entry : { ...entry, users: ofNamed(entry) }))
}

/** Whether any default level or grant of the chain is `admin`. */
export function grantsAdmin(chain: AclEntry[]): boolean {
  return chain.some(({ defaultLevel, users, teams }) =>
    [defaultLevel, ...Object.values(users), ...Object.values(teams)].includes('admin'),
  )
}

/** Whether a role change exceeds the role of the caller: to a role above theirs, or from one unless `mayLower`. */
export function exceedsRole(
  own: Role,
  { before, after }: { before: Role | null; after: Role | null },
  mayLower: boolean,
): boolean {
  const isAbove = (role: Role | null) => role !== null && !atLeast(own, role)
  return before !== after && (isAbove(after) || (!mayLower && isAbove(before)))
}
