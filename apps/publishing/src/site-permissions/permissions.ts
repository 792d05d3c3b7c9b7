import { membershipIn, type Role } from '@recto/actor'
import { recorded } from '@recto/contracts-shared'
import type { PageRequest } from '@recto/database'
import type { Context } from '../shared/context.ts'
import { requireCanGrant, requireGrantChange, requireNoEscalation } from '../site-access/site-access.policy.ts'
import type { Subject } from '../site-access/site-grant.entity.ts'
import * as grants from '../site-access/site-grants.repository.ts'
import * as sites from '../sites/sites.repository.ts'
import { canManageSites } from '../sites/sites.policy.ts'
import { requireNoneBeyond } from '../sites/covered-spaces.ts'
import { requireManagedSite, siteForCaller, updateSite, type SiteParams } from '../sites/update-site.ts'
import { grantsAfter, grantTo } from './grants.rules.ts'
import { notGranted, requireInOrganization, requirePeople } from './people.ts'

interface Invite {
  role: Role | null
  users?: string[] | undefined
  teams?: string[] | undefined
}

/** Grants users and teams a role on a site, or revokes their grants (null): all of them or none. */
export async function invite(
  params: SiteParams,
  { role, users = [], teams = [] }: Invite,
  context: Context,
): Promise<undefined> {
  const row = await sites.find(context.db, params.siteId)
  const { organizationId: organization } = params
  const { site, role: own } = await siteForCaller(context, row, { organization, can: canManageSites })
  requireCanGrant(own, role)
  // A subject that is removed from the organization after this moment loses its grants.
  const since = new Date()
  const held = await grants.allOn(context.db, site.id)
  const holders = new Set([...Object.keys(held.users), ...Object.keys(held.teams)])
  await requirePeople(context, { organization, users, teams }, holders)
  const subjects = [...subjectsOf('user', users), ...subjectsOf('team', teams)]
  return write(params, { subjects, role, since }, context)
}

/** Changes the grant of a subject; without `role` it stays. Throws `not_found` when the subject has none. */
export async function change(
  { subject, ...params }: SiteParams & { subject: Subject },
  { role }: { role?: Role | null | undefined },
  context: Context,
): Promise<undefined> {
  const { id, organizationId: organization } = await requireManagedSite(context, params)
  const held = grantTo(await grants.allOn(context.db, id), subject)
  if (held === null) throw notGranted(subject)
  if (role === undefined) return undefined
  const since = new Date()
  if (role !== null) await requireInOrganization(context, organization, subject)
  return write(params, { subjects: [subject], role, since }, context)
}

/** Revokes the grant of a subject; does nothing when there is none. */
export async function remove(
  { subject, ...params }: SiteParams & { subject: Subject },
  context: Context,
): Promise<undefined> {
  return write(params, { subjects: [subject], role: null, since: new Date() }, context)
}

/** Users, or teams, with a grant on the site itself. */
export async function listGrants(
  params: SiteParams,
  { subject, ...query }: PageRequest & Pick<Subject, 'subject'>,
  context: Context,
) {
  const { id: siteId, organizationId: organization } = await requireManagedSite(context, params)
  const page = await grants.list(context.db, { siteId, subject }, { ...query, cursorKey: context.cursorKey() })
  return { page, organization }
}

interface GrantChange {
  subjects: Subject[]
  role: Role | null
  since: Date
}

/** Sets the same role, or none, for all of these subjects. Whoever loses their access to a site that lets members in reads no further. */
async function write(params: SiteParams, { subjects, role, since }: GrantChange, context: Context): Promise<undefined> {
  await requireManagedSite(context, params)
  const members = await membersFor(context, params.organizationId, subjects)
  await updateSite(context, params, async (tx, { site, place, role: own, beyondToken, revokeTokens }) => {
    const { id: siteId, organizationId } = site
    const before = await grants.allOn(tx, siteId)
    const held = subjects.flatMap(subject => grantTo(before, subject) ?? [])
    requireGrantChange(own, { held, next: role })
    const changed = subjects.filter(subject => grantTo(before, subject) !== role)
    if (changed.length === 0) return
    // Whoever sees such a site signs in as its visitor, and reads what it shows.
    if (role !== null && site.visibility === 'visitor-auth') requireNoneBeyond(beyondToken)
    const after = grantsAfter(before, changed, role)
    if (own !== 'admin') requireNoEscalation(own ?? 'read', site, { before, after, members })
    if (role !== null) await grants.setRole(tx, { siteId, organizationId, role, createdAt: since }, changed)
    else await grants.revoke(tx, siteId, changed)
    tx.record(recorded('site.permissions.updated', { ...place, details: { role, ...idsByKind(changed) } }))
    if (role === null && site.visibility === 'visitor-auth') revokeTokens()
  })
  return undefined
}

function idsByKind(subjects: readonly Subject[]) {
  const idsOf = (kind: Subject['subject']) =>
    subjects.filter(({ subject }) => subject === kind).map(({ subjectId }) => subjectId)
  return { users: idsOf('user'), teams: idsOf('team') }
}

/** The members whose roles a change of grants can change. Nobody needs to be asked about them for an admin of the organization, who may do everything. */
async function membersFor({ actor, people }: Context, organization: string, subjects: Subject[]) {
  if (membershipIn(actor, organization)?.role === 'admin') return []
  const users = subjects.flatMap(({ subject, subjectId }) => (subject === 'user' ? [subjectId] : []))
  const body = users.length === subjects.length ? { organization, users } : { organization }
  return (await people.listMemberships({ body })).members
}

function subjectsOf(subject: Subject['subject'], ids: string[]): Subject[] {
  return [...new Set(ids)].map(subjectId => ({ subject, subjectId }))
}
