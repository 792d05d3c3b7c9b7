import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canAdminister } from '../organizations/organizations.policy.ts'

/** The organization that a token provisions. Throws `forbidden` for one that belongs to several, or whose role does not allow it. */
export function organizationOfToken({ memberships }: Actor): string {
  const [membership, ...others] = memberships
  if (!membership || others.length > 0 || !canAdminister(membership))
    throw new Failure('forbidden', 'The token must be of an admin of exactly one organization')
  return membership.organization
}
