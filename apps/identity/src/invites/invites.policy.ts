import { atLeast, type Membership, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canGrant } from '../organizations/organizations.policy.ts'
import { emailDomain } from '../organizations/organizations.rules.ts'

/** Throws `forbidden` when an inviter would grant a role above their own. */
export function requireCanGrant(membership: Membership, role: Role | null): void {
  if (!canGrant(membership, role)) throw new Failure('forbidden', 'You cannot grant a role above your own')
}

/** Whether an invite grants nothing to somebody who holds this role already; an invite without a role grants members nothing. */
export function isRedundant(held: Role | null, grantedRole: Role | null): boolean {
  return grantedRole === null || atLeast(held, grantedRole)
}

/** Throws `conflict` while the organization has invite links turned off. */
export function requireInviteLinks({ inviteLinks }: { inviteLinks: boolean }): void {
  if (!inviteLinks) throw new Failure('conflict', 'The organization has `inviteLinks` turned off')
}

/** A user who joins an organization. */
export interface Joiner {
  isMember: boolean
  /** Whether they joined with the same invite before. */
  hasUsed?: boolean
  /** Whether the organization requires single sign-on. */
  requiresSso: boolean
}

/**
 * Throws `conflict` to users who joined with the same invite before and are no longer members, and `forbidden` where only single sign-on
 * admits members. Members pass.
 */
export function requireCanJoin({ isMember, hasUsed = false, requiresSso }: Joiner): void {
  if (isMember) return
  if (hasUsed) throw new Failure('conflict', 'You have joined with this invite before')
  if (requiresSso)
    throw new Failure(
      'forbidden',
      'The organization requires single sign-on: sign in with its identity provider to join',
    )
}

/** Whether the organization accepts the domain of an email; its domains must be normalized (lower case, ASCII). */
export function canJoinByDomain(emailDomains: string[], email: string): boolean {
  return emailDomains.includes(emailDomain(email))
}
