import { atLeast, type Role } from '@recto/actor'
import type { Level } from './access.policy.ts'

/** The levels as far as they concern these users and teams, or everybody: what others were granted does not. */
export function concerning(
  levels: Level[],
  subjects: { subject: 'user' | 'team'; subjectId: string }[] | undefined,
): Level[] {
  if (!subjects) return levels
  const named = new Set(subjects.flatMap(({ subject, subjectId }) => (subject === 'user' ? [subjectId] : [])))
  const ofNamed = ({ users }: Level) => Object.fromEntries(Object.entries(users).filter(([user]) => named.has(user)))
  // Anybody may be in a team; but a grant on the object itself takes its holder out of all others.
  const hasTeams = subjects.some(({ subject }) => subject === 'team')
  return levels.map((level, height) => (hasTeams && height > 0 ? level : { ...level, users: ofNamed(level) }))
}

/** Whether anything on the way up makes somebody an admin. */
export function saysAdmin(levels: Level[]): boolean {
  return levels.some(({ defaultLevel, users, teams }) =>
    [defaultLevel, ...Object.values(users), ...Object.values(teams)].includes('admin'),
  )
}

/** Whether a change of somebody's role is beyond who makes it: to more than they have, or from it unless it may be lowered. */
export function changedBeyond(
  own: Role,
  { before, after }: { before: Role | null; after: Role | null },
  mayLower: boolean,
): boolean {
  const isBeyond = (role: Role | null) => role !== null && !atLeast(own, role)
  return before !== after && (isBeyond(after) || (!mayLower && isBeyond(before)))
}
