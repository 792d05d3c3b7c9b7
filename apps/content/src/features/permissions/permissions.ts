import type { PageRequest } from '@recto/database'
import type { Role } from '@recto/actor'
import { effectiveRole, memberOf, notAllowed, requireGrant, requireMember } from '../../access/access.policy.ts'
import { levelsOf } from '../../access/acl-chain.repository.ts'
import { withinReach } from '../../access/escalation.ts'
import type { Context } from '../../shared/context.ts'
import type { GrantRow } from '../../access/grant.entity.ts'
import * as grants from '../../access/grants.repository.ts'
import { requireChange } from '../../access/grants.rules.ts'
import type { Managed, Noun, Subject } from '../../hierarchy/kinds/resource-kind.ts'
import { notGranted, requirePeople, requireStillThere, withTeams, withUsers } from './people.ts'
import { pageOfUsers } from './permissions.rules.ts'

interface Invite {
  role: Role | null
  users?: string[] | undefined
  teams?: string[] | undefined
}

/** An object as the path names it. */
interface Which {
  noun: Noun
  id: string
}

/** Gives users and teams a role, or takes what they have: all of them or nobody. */
export async function invite(
  { noun, id }: Which,
  { role, users = [], teams = [] }: Invite,
  context: Context,
): Promise<undefined> {
  const object = await noun.find(context.db, id, context.actor)
  requireGrant(object.role, role)
  // Who is removed from the organization from here on loses what they are granted.
  const since = new Date()
  const subjects = [...subjectsOf('user', users), ...subjectsOf('team', teams)]
  await requirePeople(
    context,
    { organization: object.organizationId, users, teams },
    await grants.heldOn(context.db, objectOf(noun, object), subjects),
  )
  return write({ noun, id }, { subjects, role, since }, context)
}

/** Changes what somebody has who was granted something; an absent role keeps it. */
export async function change(
  { noun, id, subject }: Which & { subject: Subject },
  { role }: { role?: Role | null | undefined },
  context: Context,
): Promise<undefined> {
  const object = await noun.find(context.db, id, context.actor)
  const [held] = await grants.heldOn(context.db, objectOf(noun, object), [subject])
  if (!held) throw notGranted(subject)
  const since = new Date()
  if (role) await requireStillThere(context, object.organizationId, subject)
  return write({ noun, id }, { subjects: [subject], role: role === undefined ? held.role : role, since }, context)
}

/** Takes what somebody was granted; when it was nothing, there is nothing to do. */
export async function remove(
  { noun, id, subject }: Which & { subject: Subject },
  context: Context,
): Promise<undefined> {
  return write({ noun, id }, { subjects: [subject], role: null, since: new Date() }, context)
}

/** Users who were granted something on the object itself. */
export async function listUsers({ noun, id }: Which, query: PageRequest, context: Context) {
  const object = await noun.find(context.db, id, context.actor)
  const page = await grants.listOn(
    context.db,
    { ...objectOf(noun, object), subject: 'user' },
    { ...query, cursorKey: context.cursorKey() },
  )
  return { ...page, items: await withUsers(context, object.organizationId, page.items) }
}

/** Teams that were granted something on the object itself. */
export async function listTeams({ noun, id }: Which, query: PageRequest, context: Context) {
  const object = await noun.find(context.db, id, context.actor)
  const page = await grants.listOn(
    context.db,
    { ...objectOf(noun, object), subject: 'team' },
    { ...query, cursorKey: context.cursorKey() },
  )
  return { ...page, items: await withTeams(context, object.organizationId, page.items) }
}

/** Everybody who sees the object, by the rule that guards it: two calls of identity, however many they are. */
export async function aggregate(
  { noun, id }: Which,
  query: PageRequest & { role?: Role | undefined },
  context: Context,
) {
  const { organizationId: organization } = await noun.find(context.db, id, context.actor)
  // Guests see nobody but those whom they share a grant with.
  if (requireMember(context.actor, organization).role === null) throw notAllowed(null)
  const [levels, { members }] = await Promise.all([
    levelsOf(context.db, { object: noun.object, id }),
    context.people.listMemberships({ body: { organization } }),
  ])
  const users = members.flatMap(({ user, ...membership }) => {
    const role = effectiveRole(memberOf(user, { organization, ...membership }), organization, levels)
    return role === null || (query.role !== undefined && role !== query.role) ? [] : [{ id: user, role }]
  })
  const page = pageOfUsers(users, query, context.cursorKey())
  return { ...page, items: await withUsers(context, organization, page.items) }
}

/** Writes what each of these has from now on: the same role for all of them, or none. */
async function write(
  { noun, id }: Which,
  { subjects, role, since }: { subjects: Subject[]; role: Role | null; since: Date },
  context: Context,
): Promise<undefined> {
  const { actor } = context
  await context.transaction(async tx => {
    const object = await noun.lock(tx, id, actor)
    const on = objectOf(noun, object)
    const held = await grants.heldOn(tx, on, subjects)
    requireChange(object.role, { held: held.map(grant => grant.role), next: role })
    const changing = subjects.filter(subject => roleOf(held, subject) !== role)
    if (changing.length === 0) return
    const write = async () =>
      role === null
        ? grants.take(tx, on, changing)
        : grants.set(tx, { ...on, organizationId: object.organizationId, role, createdAt: since }, changing)
    await withinReach(context, { db: tx, object: noun.object, on: object, subjects: changing, write })
    await noun.publishChange(tx, object, { actor, subjects: changing })
  })
  return undefined
}

function objectOf({ object }: Noun, { id }: Managed): { object: GrantRow['object']; objectId: string } {
  return { object, objectId: id }
}

function subjectsOf(subject: Subject['subject'], ids: string[]): Subject[] {
  return [...new Set(ids)].map(subjectId => ({ subject, subjectId }))
}

function roleOf(held: grants.Held[], { subject, subjectId }: Subject): Role | null {
  return held.find(grant => grant.subject === subject && grant.subjectId === subjectId)?.role ?? null
}
