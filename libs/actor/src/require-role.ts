import { Failure, limitForbids } from '@recto/operation'
import { membershipIn, type Actor, type Membership, type Role } from './actor.ts'

/** Whether a role allows something; null is the role of guests, and of those who are not in the organization. */
export type RoleCheck = (role: Role | null) => boolean

/** The actor's membership in an organization; guests have one too. Throws `not_found` when there is none. */
export function requireMember(actor: Actor, organization: string): Membership {
  const membership = membershipIn(actor, organization)
  if (!membership) throw new Failure('not_found', 'There is no such organization')
  return membership
}

/**
 * The role of the actor in an organization; throws `not_found` when they are not in it, and `forbidden` when it does not allow something, or
 * the token is limited to resources: it has no part in the rest of the organization.
 */
export function requireRole(actor: Actor, organization: string, can: RoleCheck): Role | null {
  const { role } = requireMember(actor, organization)
  if (actor.limitedTo) throw limitForbids()
  if (!can(role)) throw roleForbids(role)
  return role
}

/** The failure for a caller whose role does not allow something. */
export function roleForbids(role: Role | null): Failure {
  return new Failure('forbidden', role === null ? 'Guests may not do this' : `The role ${role} does not allow this`)
}
