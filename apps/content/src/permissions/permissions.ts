import { byKey, pageInMemory, type PageRequest } from '@recto/database'
import { memberActor, requireMember, type Role, roleForbids } from '@recto/actor'
import { effectiveRole, requireCanGrant } from '../access/access.policy.ts'
import { changePermissions, preventEscalation } from '../access/escalation.ts'
import type { Subject } from '../access/grant.entity.ts'
import * as grants from '../access/grants.repository.ts'
import { requireGrantChange } from '../access/grants.rules.ts'
import { loadAclChain } from '../resources/acl-chain.repository.ts'
import { requireManageable, requireWritable, type ResourceKind } from '../resources/resource-kind.ts'
import type { Context } from '../shared/context.ts'
import { notGranted, requirePeople, requireInOrganization, withTeams, withUsers } from './people.ts'

interface Invite {
  role: Role | null
  users?: string[] | undefined
  teams?: string[] | undefined
}

/** The resource that a path names. */
interface Target {
  kind: ResourceKind
  id: string
}

/** Grants users and teams a role, or revokes their grants (null): all of them or none. */
export async function invite(
  target: Target,
  { role, users = [], teams = [] }: Invite,
  context: Context,
): Promise<undefined> {
  const { resource, role: own } = await findManageable(target, context)
  requireCanGrant(own, role)
  // A subject that is removed from the organization after this moment loses its grants.
  const since = new Date()
  const subjects = [...subjectsOf('user', users), ...subjectsOf('team', teams)]
  await requirePeople(
    context,
    { organization: resource.organizationId, users, teams },
    await grants.findGrants(context.db, keyOf(target), subjects),
  )
  return write(target, { subjects, role, since }, context)
}

/** Changes the grant of a subject; without `role` it stays. Throws `not_found` when the subject has none. */
export async function change(
  { subject, ...target }: Target & { subject: Subject },
  { role }: { role?: Role | null | undefined },
  context: Context,
): Promise<undefined> {
  const { resource } = await findManageable(target, context)
  const [held] = await grants.findGrants(context.db, keyOf(target), [subject])
  if (!held) throw notGranted(subject)
  const since = new Date()
  if (role) await requireInOrganization(context, resource.organizationId, subject)
  return write(target, { subjects: [subject], role: role === undefined ? held.role : role, since }, context)
}

/** Revokes the grant of a subject; does nothing when there is none. */
export async function remove(
  { subject, ...target }: Target & { subject: Subject },
  context: Context,
): Promise<undefined> {
  return write(target, { subjects: [subject], role: null, since: new Date() }, context)
}

/** Users with a grant on the resource itself. */
export async function listUsers(target: Target, query: PageRequest, context: Context) {
  const { page, organization } = await listGrants(target, { ...query, subject: 'user' }, context)
  return { ...page, items: await withUsers(context, organization, page.items) }
}

/** Teams with a grant on the resource itself. */
export async function listTeams(target: Target, query: PageRequest, context: Context) {
  const { page, organization } = await listGrants(target, { ...query, subject: 'team' }, context)
  return { ...page, items: await withTeams(context, organization, page.items) }
}

const userKey = ({ id }: { id: string }): string[] => [id]

/** All users with a role on the resource, by the access policy, with two calls of identity for any number of users. */
export async function aggregate(target: Target, query: PageRequest & { role?: Role | undefined }, context: Context) {
  const { resource } = await findManageable(target, context)
  const { organizationId: organization } = resource
  // Guests may only see users with a grant on the same resource, so they may not list everybody.
  if (requireMember(context.actor, organization).role === null) throw roleForbids(null)
  const [chain, { members }] = await Promise.all([
    loadAclChain(context.db, resource),
    context.people.listMemberships({ body: { organization } }),
  ])
  const users = members.flatMap(({ user, ...membership }) => {
    const role = effectiveRole(memberActor(user, { organization, ...membership }), organization, chain)
    return role === null || (query.role !== undefined && role !== query.role) ? [] : [{ id: user, role }]
  })
  const request = { ...query, cursorKey: context.cursorKey() }
  const page = pageInMemory(users.sort(byKey(userKey)), userKey, request)
  return { ...page, items: await withUsers(context, organization, page.items) }
}

async function listGrants(
  target: Target,
  { subject, ...query }: PageRequest & Pick<Subject, 'subject'>,
  context: Context,
) {
  const { resource } = await findManageable(target, context)
  const request = { ...query, cursorKey: context.cursorKey() }
  const page = await grants.listGrants(context.db, { ...keyOf(target), subject }, request)
  return { page, organization: resource.organizationId }
}

/** Sets the same role, or none, for all of these subjects. */
async function write(
  { kind, id }: Target,
  { subjects, role, since }: { subjects: Subject[]; role: Role | null; since: Date },
  context: Context,
): Promise<undefined> {
  const { actor } = context
  await changePermissions(context, async ({ tx, known }) => {
    const { resource, role: own } = requireWritable(kind, { actor }, await kind.lock(tx, id, actor))
    const { organizationId } = resource
    const key = keyOf({ kind, id })
    const existingGrants = await grants.findGrants(tx, key, subjects)
    requireGrantChange(own, { held: existingGrants.map(grant => grant.role), next: role })
    const changedSubjects = subjects.filter(subject => roleOf(existingGrants, subject) !== role)
    if (changedSubjects.length === 0) return
    const write = async () =>
      role === null
        ? grants.revoke(tx, key, changedSubjects)
        : grants.setRole(tx, { ...key, organizationId, role, createdAt: since }, changedSubjects)
    await preventEscalation({
      known,
      resource: { organizationId, role: own },
      subjects: changedSubjects,
      write,
      loadAclChain: () => loadAclChain(tx, resource),
    })
    const affected = {
      users: idsOf('user', changedSubjects),
      teams: idsOf('team', changedSubjects),
      defaultLevel: false,
    }
    kind.recordPermissionChange(tx, { id, organizationId, ...affected })
  })
  return undefined
}

/** The resource, when the caller may manage its permissions. */
async function findManageable({ kind, id }: Target, { db, actor }: Context) {
  return requireManageable(kind, actor, await kind.find(db, id, actor))
}

function keyOf({ kind, id }: Target) {
  return { resourceType: kind.type, resourceId: id }
}

function subjectsOf(subject: Subject['subject'], ids: string[]): Subject[] {
  return [...new Set(ids)].map(subjectId => ({ subject, subjectId }))
}

function idsOf(kind: Subject['subject'], subjects: Subject[]): string[] {
  return subjects.flatMap(({ subject, subjectId }) => (subject === kind ? [subjectId] : []))
}

function roleOf(held: grants.SubjectGrant[], { subject, subjectId }: Subject): Role | null {
  return held.find(grant => grant.subject === subject && grant.subjectId === subjectId)?.role ?? null
}
