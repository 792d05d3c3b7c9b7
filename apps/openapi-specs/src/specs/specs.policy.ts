import { atLeast, membershipIn, type Actor, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'

type Can = (role: Role | null) => boolean

/** Read the specifications of an organization: its members, and no guests. */
export const canViewSpecs: Can = role => atLeast(role, 'read')
/** Create, change and delete specifications. */
export const canEditSpecs: Can = role => atLeast(role, 'create')

/** The role of the caller in an organization; throws `not_found` to others, and `forbidden` when it does not allow something. */
export function requireRole(actor: Actor, organization: string, can: Can): Role | null {
  const membership = membershipIn(actor, organization)
  if (!membership) throw new Failure('not_found', 'There is no such organization')
  if (!can(membership.role)) throw roleForbids(membership.role)
  return membership.role
}

/** As `requireRole`, for a specification that the request names: guests do not learn whether it exists. */
export function requireRoleOnSpec(actor: Actor, organization: string, can: Can): Role | null {
  const role = membershipIn(actor, organization)?.role ?? null
  if (!canViewSpecs(role)) throw new Failure('not_found', 'There is no such specification')
  if (!can(role)) throw roleForbids(role)
  return role
}

function roleForbids(role: Role | null): Failure {
  return new Failure('forbidden', role === null ? 'Guests may not do this' : `The role ${role} does not allow this`)
}
