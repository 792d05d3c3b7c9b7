import { membershipIn } from '@recto/actor'
import { Failure, fieldFaults, type FaultDetail } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import type { Subject } from '../site-access/site-grant.entity.ts'
import type { ListedGrant } from '../site-access/site-grants.repository.ts'

interface People {
  organization: string
  users: string[]
  teams: string[]
}

type Described = Awaited<ReturnType<Context['people']['describePeople']>>

/** Users and teams of an organization as identity shows them to the caller, in one call. */
export async function describe(context: Context, { organization, users, teams }: People): Promise<Described> {
  if (users.length + teams.length === 0) return { users: [], teams: [] }
  return context.people.describePeople({
    body: { actor: context.actor, organization, users: [...new Set(users)], teams: [...new Set(teams)] },
  })
}

/** Throws `not_found`, naming each, when some of these are not in the organization, or not visible to the caller: guests see themselves, their teams, and who has a grant on the site. */
export async function requirePeople(context: Context, people: People, holders: ReadonlySet<string>): Promise<void> {
  const described = await describe(context, people)
  const { actor } = context
  const own = membershipIn(actor, people.organization)
  const isVisible = (id: string) =>
    own?.role !== null || id === actor.userId || own.teams.includes(id) || holders.has(id)
  const missing = (field: 'users' | 'teams'): FaultDetail[] => {
    const visibleIds = new Set(described[field].map(({ id }) => id).filter(isVisible))
    return people[field].flatMap((id, at) =>
      visibleIds.has(id) ? [] : [{ path: `body.${field}.${at}`, message: 'is not in the organization' }],
    )
  }
  const details = [...missing('users'), ...missing('teams')]
  if (details.length > 0) throw fieldFaults(details, 'not_found')
}

/** Throws `not_found` when the subject in the path is no longer in the organization. */
export async function requireInOrganization(context: Context, organization: string, subject: Subject): Promise<void> {
  const idsOf = (kind: Subject['subject']) => (subject.subject === kind ? [subject.subjectId] : [])
  const people = await describe(context, { organization, users: idsOf('user'), teams: idsOf('team') })
  if (people.users.length + people.teams.length === 0) throw notGranted(subject)
}

/** The failure for a subject without a grant. */
export function notGranted({ subject }: Subject): Failure {
  return new Failure('not_found', `There is no such ${subject} here`)
}

/** Users with their grants, without those who left the organization and whose grants are not deleted yet. */
export async function withUsers(context: Context, organization: string, granted: ListedGrant[]) {
  const { users } = await describe(context, { organization, users: granted.map(({ id }) => id), teams: [] })
  const byId = new Map(users.map(user => [user.id, user]))
  return granted.flatMap(({ id, role: permission }) => {
    const user = byId.get(id)
    return user ? [{ permission, user }] : []
  })
}

/** Teams with their grants, and the number of spaces they were granted. */
export async function withTeams(context: Context, organization: string, granted: ListedGrant[]) {
  const ids = granted.map(({ id }) => id)
  if (ids.length === 0) return []
  const { role = null, teams: own = [] } = membershipIn(context.actor, organization) ?? {}
  const { userId: user, limitedTo } = context.actor
  const viewer = { user, role, teams: own, limitedTo }
  const [{ teams }, { teams: spaces }] = await Promise.all([
    describe(context, { organization, users: [], teams: ids }),
    context.content.countSpaces({ body: { organization, viewer, members: [], teams: ids } }),
  ])
  const byId = new Map(teams.map(team => [team.id, team]))
  return granted.flatMap(({ id, role: permission }) => {
    const team = byId.get(id)
    return team ? [{ permission, team: { ...team, spaces: spaces[id] ?? 0 } }] : []
  })
}
