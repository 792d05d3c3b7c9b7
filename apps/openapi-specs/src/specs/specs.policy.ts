import { atLeast, roleBeyondResources, roleForbids, type Actor, type Role, type RoleCheck } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { SourceView } from './sources.rules.ts'

/** Read the specifications of an organization: its members, and neither guests nor tokens that are limited to resources. */
export const canViewSpecs: RoleCheck = role => atLeast(role, 'read')
/** Create, change and delete specifications. */
export const canEditSpecs: RoleCheck = role => atLeast(role, 'create')

/** As `requireRole`, for a specification that the request names: guests do not learn whether it exists. */
export function requireRoleOnSpec(actor: Actor, organization: string, can: RoleCheck): Role | null {
  const role = roleBeyondResources(actor, organization)
  if (!canViewSpecs(role)) throw noSuchSpec()
  if (!can(role)) throw roleForbids(role)
  return role
}

/** How much a member learns of the source of a specification. */
export function sourceViewOf(role: Role | null): SourceView {
  return canEditSpecs(role) ? 'whole' : 'withoutQuery'
}

/** The failure for a specification that is not there, or that the caller does not see. */
export function noSuchSpec(): Failure {
  return new Failure('not_found', 'There is no such specification')
}
