import { atLeast, Failure, type Actor, type Membership } from '@recto/operation'
import { effectiveRole, highestOf, without } from '../access/access.policy.ts'
import { levelsOf } from '../access/levels.repository.ts'
import type { Context } from '../context.ts'
import { requireChange } from '../grants/grants.rules.ts'
import type { Managed, Noun, Subject } from './nouns.ts'

interface On {
  noun: Noun
  object: Managed
}

/**
 * Refuses to touch what users have who hold more than the caller, by whatever way: a grant takes its holder out of all others.
 * Admins of the organization stay what they are.
 */
export async function requireNobodyAbove(context: Context, { noun, object, users }: On & { users: string[] }): Promise<void> {
  if (users.length === 0 || object.role === 'admin') return
  const { organizationId: organization, id } = object
  const [levels, { members }] = await Promise.all([levelsOf(context.db, { object: noun.object, id }), context.people.listMemberships({ body: { organization, users } })])
  const others = members.filter(({ role }) => role !== 'admin')
  const held = others.map(({ user, ...membership }) => effectiveRole(memberOf(user, { organization, ...membership }), organization, levels))
  requireChange(object.role, { held: held.filter(role => role !== null), next: null })
}

/**
 * Refuses to take grants that keep their holders below what the caller could give: without them the next thing that is said counts,
 * here or further up. Identity is asked only where something higher is said at all.
 */
export async function requireNobodyRaised(context: Context, { noun, object, subjects }: On & { subjects: Subject[] }): Promise<void> {
  const { organizationId: organization, id, role: own } = object
  if (own === 'admin') return
  const levels = await levelsOf(context.db, { object: noun.object, id })
  const left = without(levels, subjects)
  if (atLeast(own, highestOf(left) ?? 'read')) return
  const users = subjects.map(({ subjectId }) => subjectId)
  const ofTeams = subjects.some(({ subject }) => subject === 'team')
  const { members } = await context.people.listMemberships({ body: { organization, ...(!ofTeams && { users }) } })
  for (const { user, ...membership } of members) {
    const [before, after] = [levels, left].map(way => effectiveRole(memberOf(user, { organization, ...membership }), organization, way))
    const isRaised = after != null && after !== before && !atLeast(before, after) && !atLeast(own, after)
    if (isRaised) throw new Failure('forbidden', `Without this grant its holders would have the role ${after}, which the role ${own} cannot give`)
  }
}

/** A member as the policy asks about them. */
export function memberOf(userId: string, membership: Membership): Actor {
  return { userId, platformAdmin: false, scopes: [], memberships: [membership] }
}
