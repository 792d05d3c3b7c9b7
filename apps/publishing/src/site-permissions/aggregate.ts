import { memberActor, requireMember, type DecidedRole, type Role, roleForbids } from '@recto/actor'
import type { sitePermissions } from '@recto/contracts-publishing'
import { byKey, pageInMemory } from '@recto/database'
import type { Input, Output } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { decideSiteRole } from '../site-access/site-access.policy.ts'
import * as grants from '../site-access/site-grants.repository.ts'
import { readSite } from '../sites/update-site.ts'
import { describe } from './people.ts'

type Request = Input<typeof sitePermissions.listPermissionsAggregateInSite>
type Permission = Output<typeof sitePermissions.listPermissionsAggregateInSite>['items'][number]
type Member = Awaited<ReturnType<Context['people']['searchMemberships']>>['members'][number]
type MemberWithRole = Member & DecidedRole & { siteRole: Role }

/** All users with a role on a site, by the access policy, with two calls of identity for any number of users. */
export async function aggregate({ params, query }: Request, context: Context) {
  const site = await readSite(context, params)
  const { organizationId: organization } = site
  // Guests may only see users with a grant on the same site, so they may not list everybody.
  if (requireMember(context.actor, organization).role === null) throw roleForbids(null)
  const { search, sort, order, role, team, ...pageQuery } = query
  const [granted, { members }] = await Promise.all([
    grants.allOn(context.db, site.id),
    context.people.searchMemberships({ body: { organization, ...(search !== undefined && { search }) } }),
  ])
  const withRoles = members.flatMap((member): MemberWithRole[] => {
    const actor = memberActor(member.user, { organization, role: member.role, teams: member.teams })
    const decided = decideSiteRole(actor, site, granted)
    if (decided.role === null || !matches(member, decided.role, { role, team })) return []
    return [{ ...decided, ...member, siteRole: decided.role }]
  })
  const compare = byKey(keys[sort])
  const sorted = withRoles.sort(order === 'asc' ? compare : (a, b) => compare(b, a))
  const page = pageInMemory(sorted, keys[sort], { ...pageQuery, order, cursorKey: context.cursorKey() })
  const { users } = await describe(context, { organization, users: page.items.map(({ user }) => user), teams: [] })
  const byId = new Map(users.map(user => [user.id, user]))
  const items = page.items.flatMap(({ user: id, siteRole: permission, lastSeenAt, ...decided }): Permission[] => {
    const user = byId.get(id)
    if (!user) return []
    const origin = originOf(decided, { organization, site: site.id })
    return [{ permission, user, origin, disabled: false, ...(lastSeenAt !== undefined && { lastSeenAt }) }]
  })
  return { ...page, items }
}

/** The keys by which a list is ordered; who was never seen comes first. */
const keys: Record<Request['query']['sort'], (member: Member) => string[]> = {
  joinedAt: ({ joinedAt, user }) => [joinedAt, user],
  lastSeenAt: ({ lastSeenAt = '', user }) => [lastSeenAt, user],
  name: ({ name, user }) => [name.toLowerCase(), user],
}

function matches(member: Member, siteRole: Role, { role, team }: Pick<Request['query'], 'role' | 'team'>): boolean {
  if (team !== undefined && !member.teams.includes(team)) return false
  return role === undefined || (role === 'guest' ? member.role === null : siteRole === role)
}

function originOf(
  { source, team }: Pick<DecidedRole, 'source' | 'team'>,
  { organization, site }: { organization: string; site: string },
): Permission['origin'] {
  if (source === 'organization') return { type: 'organization', organization }
  return { type: 'site', site, reason: source, ...(team !== undefined && { team }) }
}
