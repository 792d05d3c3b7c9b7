import type { Actor } from '@recto/actor'

/** Only platform administrators create users and issue tokens for others. */
export function canManageUsers(actor: Actor): boolean {
  return actor.platformAdmin
}

/** Users see themselves and the users of organizations where they have a role; guests see only themselves. */
export function canSeeUser(actor: Actor, userId: string, organizations: string[]): boolean {
  if (actor.platformAdmin || actor.userId === userId) return true
  return actor.memberships.some(({ organization, role }) => role !== null && organizations.includes(organization))
}

/** Users change themselves; with a token issued by single sign-on, only if they belong to no other organization and are no platform administrator. */
export function canUpdateUser(
  actor: Actor,
  { id, platformAdmin }: { id: string; platformAdmin: boolean },
  organizations: string[],
): boolean {
  if (actor.platformAdmin) return true
  if (actor.userId !== id) return false
  return actor.sso === undefined || (!platformAdmin && organizations.every(organization => organization === actor.sso))
}
