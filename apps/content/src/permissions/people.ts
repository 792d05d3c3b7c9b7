import { requireMember } from '@recto/actor'
import { Failure, fieldFaults, type FaultDetail } from '@recto/operation'
import { viewerIn } from '../access/access.policy.ts'
import type { Subject } from '../access/grant.entity.ts'
import type { ListedGrant } from '../access/grants.repository.ts'
import { countGranted } from '../resources/counts.repository.ts'
import type { Context } from '../shared/context.ts'

interface People {
  organization: string
  users: string[]
  teams: string[]
}

type Described = Awaited<ReturnType<Context['people']['describePeople']>>

/** Users and teams of an organization as identity shows them to the caller, in one call. */
async function describe(context: Context, { organization, users, teams }: People): Promise<Described> {
  if (users.length + teams.length === 0) return { users: [], teams: [] }
  return context.people.describePeople({
    body: { actor: context.actor, organization, users: [...new Set(users)], teams: [...new Set(teams)] },
  })
}

/**
 * Throws `not_found`, naming each, when some of these are not in the organization or not visible to the caller: guests see
 * themselves, their teams, and the subjects with a grant on the resource (`holders`).
 */
export async function requirePeople(
  context: Context,
  { organization, users, teams }: People,
  holders: Subject[],
): Promise<void> {
  const people = await describe(context, { organization, users, teams })
  const { userId } = context.actor
  const own = requireMember(context.actor, organization)
  const visible =
    own.role === null ? new Set([userId, ...own.teams, ...holders.map(({ subjectId }) => subjectId)]) : undefined
  const missing = (field: 'users' | 'teams', ids: string[]): FaultDetail[] => {
    const visibleIds = new Set(people[field].map(({ id }) => id).filter(id => visible?.has(id) ?? true))
    return ids.flatMap((id, at) =>
      visibleIds.has(id) ? [] : [{ path: `body.${field}.${at}`, message: 'is not in the organization' }],
    )
  }
  const details = [...missing('users', users), ...missing('teams', teams)]
  if (details.length > 0) throw fieldFaults(details, 'not_found')
}

/** Throws `not_found` when the subject in the path is no longer in the organization. */
export async function requireInOrganization(context: Context, organization: string, subject: Subject): Promise<void> {
  const ids = [subject.subjectId]
  const people = await describe(context, {
    organization,
    users: subject.subject === 'user' ? ids : [],
    teams: subject.subject === 'team' ? ids : [],
  })
  if (people.users.length + people.teams.length === 0) throw notGranted(subject)
}

/** The failure for a subject without a grant. */
export function notGranted({ subject }: Subject): Failure {
  return new Failure('not_found', `There is no such ${subject} here`)
}

/** Users with their roles, without those who left the organization and whose grants are not deleted yet. */
export async function withUsers(context: Context, organization: string, granted: ListedGrant[]) {
  const { users } = await describe(context, { organization, users: granted.map(({ id }) => id), teams: [] })
  const byId = new Map(users.map(user => [user.id, user]))
  return granted.flatMap(({ id, role: permission }) => {
    const user = byId.get(id)
    return user ? [{ permission, user }] : []
  })
}

/** Teams with their grants and the number of spaces they were granted. */
export async function withTeams(context: Context, organization: string, granted: ListedGrant[]) {
  const ids = granted.map(({ id }) => id)
  const { actor } = context
  const viewer = viewerIn(actor, organization)
  const [{ teams }, spaces] = await Promise.all([
    describe(context, { organization, users: [], teams: ids }),
    countGranted(context.db, viewer, ids),
  ])
  const byId = new Map(teams.map(team => [team.id, team]))
  return granted.flatMap(({ id, role: permission }) => {
    const team = byId.get(id)
    return team ? [{ permission, team: { ...team, spaces: spaces[id] ?? 0 } }] : []
  })
}
