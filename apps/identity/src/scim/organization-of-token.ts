import type { Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canAdminister } from '../organizations/organizations.policy.ts'

/** The organization that a token provisions: that of a service account. Throws `forbidden` for tokens of people, and without the role `admin`. */
export function organizationOfToken({ serviceAccount, memberships }: Actor): string {
  const membership = memberships.find(({ organization }) => organization === serviceAccount)
  if (!membership || !canAdminister(membership))
    throw new Failure('forbidden', 'The token must be one of a service account with the role admin')
  return membership.organization
}
