import { Failure, type FaultDetail } from '@recto/operation'
import { requireMember, viewerIn } from '../../access/access.policy.ts'
import type { Context } from '../../shared/context.ts'
import { countGranted } from '../../hierarchy/visibility/counts.repository.ts'
import type { ListedGrant } from '../../access/grants.repository.ts'
import type { Subject } from '../../hierarchy/kinds/resource-kind.ts'

interface People {
  organization: string
  users: string[]
  teams: string[]
}

type Described = Awaited<ReturnType<Context['people']['describePeople']>>

/** Users and teams of an organization as the caller sees them: one call, however many they are. */
async function describe(context: Context, { organization, users, teams }: People): Promise<Described> {
  if (users.length + teams.length === 0) return { users: [], teams: [] }
  return context.people.describePeople({
    body: { actor: context.actor, organization, users: [...new Set(users)], teams: [...new Set(teams)] },
  })
}

/**
 * Throws `not_found`, naming each, when some of these are not in the organization, or not seen by the caller: a guest knows
 * themself, their teams, and who holds something on the object already.
 */
export async function requirePeople(
  context: Context,
  { organization, users, teams }: People,
  holders: Subject[],
): Promise<void> {
  const found = await describe(context, { organization, users, teams })
  const { userId } = context.actor
  const own = requireMember(context.actor, organization)
  const seen =
    own.role === null ? new Set([userId, ...own.teams, ...holders.map(({ subjectId }) => subjectId)]) : undefined
  const missing = (field: 'users' | 'teams', ids: string[]): FaultDetail[] => {
    const known = new Set(found[field].map(({ id }) => id).filter(id => seen?.has(id) ?? true))
    return ids.flatMap((id, at) =>
      known.has(id) ? [] : [{ path: `body.${field}.${at}`, message: 'is not in the organization' }],
    )
  }
  const details = [...missing('users', users), ...missing('teams', teams)]
  if (details.length > 0)
    throw new Failure('not_found', 'There is no such user or team in the organization', { details })
}

/** The same for one whom the path names. */
export async function requireStillThere(context: Context, organization: string, subject: Subject): Promise<void> {
  const ids = [subject.subjectId]
  const found = await describe(context, {
    organization,
    users: subject.subject === 'user' ? ids : [],
    teams: subject.subject === 'team' ? ids : [],
  })
  if (found.users.length + found.teams.length === 0) throw notGranted(subject)
}

/** What is heard of who was granted nothing. */
export function notGranted({ subject }: Subject): Failure {
  return new Failure('not_found', `There is no such ${subject} here`)
}

/** Users with what they have; who has left the organization and is not yet forgotten here is left out. */
export async function withUsers(context: Context, organization: string, granted: ListedGrant[]) {
  const { users } = await describe(context, { organization, users: granted.map(({ id }) => id), teams: [] })
  const byId = new Map(users.map(user => [user.id, user]))
  return granted.flatMap(({ id, role: permission }) => {
    const user = byId.get(id)
    return user ? [{ permission, user }] : []
  })
}

/** Teams with what they were granted. */
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
