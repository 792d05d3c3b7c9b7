import type { Db } from '@recto/database'
import { roleForbids, type Actor, type Membership } from '@recto/actor'
import { Failure } from '@recto/operation'
import { type MembershipCheck } from '../organizations/organizations.policy.ts'
import { lockOrganizations } from '../organizations/organizations.repository.ts'
import * as members from './members.repository.ts'

/**
 * Reads the caller's membership from the database and locks the organization's memberships until the transaction ends: the actor
 * of a request may be outdated, and an admin whose role was just revoked must not be able to restore it. Throws `not_found` to
 * callers who are no members any more, and `forbidden` when the check fails. To avoid deadlocks, lock emails before
 * organizations, and several organizations in the order of their ids.
 */
export async function requireCurrentMembership(
  db: Db,
  { userId }: Actor,
  { organization, can = () => true }: { organization: string; can?: MembershipCheck },
): Promise<Membership> {
  await lockOrganizations(db, [organization])
  const member = await members.find(db, { organization, userId })
  if (!member || member.disabled) throw new Failure('not_found', 'There is no such organization')
  const membership = { organization, role: member.role, teams: [] }
  if (!can(membership)) throw roleForbids(membership.role)
  return membership
}
