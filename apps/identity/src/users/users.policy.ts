import type { Actor } from '@recto/actor'

/** Users are issued by the platform, not by an organization. */
export function canManageUsers(actor: Actor): boolean {
  return actor.platformAdmin
}

/** A user sees themself and those they share an organization with; guests see nobody else. */
export function canSeeUser(actor: Actor, userId: string, organizations: string[]): boolean {
  if (actor.platformAdmin || actor.userId === userId) return true
  return actor.memberships.some(({ organization, role }) => role !== null && organizations.includes(organization))
}

/** Users change themselves; with a token of an organization's single sign-on only who belongs nowhere else and administers nothing. */
export function canUpdateUser(
  actor: Actor,
  { id, platformAdmin }: { id: string; platformAdmin: boolean },
  organizations: string[],
): boolean {
  if (actor.platformAdmin) return true
  if (actor.userId !== id) return false
  return actor.sso === undefined || (!platformAdmin && organizations.every(organization => organization === actor.sso))
}
