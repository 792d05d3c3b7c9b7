import { atLeast, type Membership, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canGrant } from '../organizations/organizations.policy.ts'
import { emailDomain } from '../organizations/organizations.rules.ts'

/** Nobody invites to more than they have. */
export function requireGrant(membership: Membership, role: Role | null): void {
  if (!canGrant(membership, role)) throw new Failure('forbidden', 'Nobody grants a role above their own')
}

/** Whoever holds a role has all that an invite gives already; an invite without a role gives nothing to who belongs there. */
export function isRedundant(held: Role | null, given: Role | null): boolean {
  return given === null || atLeast(held, given)
}

/** Links can be made only while they can be used. */
export function requireLinks({ inviteLinks }: { inviteLinks: boolean }): void {
  if (!inviteLinks) throw new Failure('conflict', 'The organization has `inviteLinks` turned off')
}

/** Who asks to join. */
export interface Joiner {
  isMember: boolean
  /** Whether they joined with this very invite before. */
  hasUsed?: boolean
  /** Whether the organization requires single sign-on. */
  requiresSso: boolean
}

/** Refuses who was removed since they joined with the same invite, and who could do nothing there before they sign in otherwise. */
export function requireJoinable({ isMember, hasUsed = false, requiresSso }: Joiner): void {
  if (isMember) return
  if (hasUsed) throw new Failure('conflict', 'You have joined with this invite before')
  if (requiresSso) throw new Failure('forbidden', 'The organization requires single sign-on: join by its sign-in')
}

/** Whether the e-mail's domain is one that the organization takes; its domains are lower case and ASCII. */
export function canJoinByDomain(emailDomains: string[], email: string): boolean {
  return emailDomains.includes(emailDomain(email))
}
