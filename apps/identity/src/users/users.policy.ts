import { membershipIn, type Actor } from '@recto/operation'

/** Users are issued by the platform, not by an organization. */
export function canManageUsers(actor: Actor): boolean {
  return actor.platformAdmin
}

/** A user sees themself and those they share an organization with; guests see nobody else. */
export function canSeeUser(actor: Actor, userId: string, organizations: string[]): boolean {
  if (actor.platformAdmin || actor.userId === userId) return true
  return organizations.some(organization => membershipIn(actor, organization)?.role != null)
}
