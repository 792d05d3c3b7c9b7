import type { AclEntry } from './access.policy.ts'
import type { Subject } from './grant.entity.ts'

export { exceedsRole } from '@recto/actor'

/** Removes the grants from an ACL chain that cannot affect these subjects; without subjects, every grant counts. */
export function restrictToSubjects(chain: AclEntry[], subjects: Subject[] | undefined): AclEntry[] {
  if (!subjects) return chain
  const userIds = new Set(subjects.flatMap(({ subject, subjectId }) => (subject === 'user' ? [subjectId] : [])))
  const keepAffected = ({ users }: AclEntry) =>
    Object.fromEntries(Object.entries(users).filter(([user]) => userIds.has(user)))
  // Any user may be in one of the teams, so with teams all grants to users count, except on the resource itself: there they override teams.
  const hasTeams = subjects.some(({ subject }) => subject === 'team')
  return chain.map((entry, height) => (hasTeams && height > 0 ? entry : { ...entry, users: keepAffected(entry) }))
}

/** Whether any default level or grant of the chain is `admin`. */
export function grantsAdmin(chain: AclEntry[]): boolean {
  return chain.some(({ defaultLevel, users, teams }) =>
    [defaultLevel, ...Object.values(users), ...Object.values(teams)].includes('admin'),
  )
}
