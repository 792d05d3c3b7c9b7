import type { Transaction } from '@recto/database'
import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { addMember } from '../members/add-members.ts'
import * as members from '../members/members.repository.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { isEmailProven } from '../users/emails.rules.ts'
import * as users from '../users/users.repository.ts'
import { canJoinByDomain, requireCanJoin } from './invites.policy.ts'

/** Makes a user a member of an organization that accepts the domain of their email, which must be proven to it; throws `not_found` when it does not. */
export async function joinByDomain(tx: Transaction, key: members.MemberKey): Promise<void> {
  const { emailDomains, defaultRole, sso } = await organizations.get(tx, key.organization)
  const isMember = (await members.find(tx, key)) !== undefined
  const user = await users.get(tx, key.userId)
  const canJoin = isEmailProven(user, key.organization) && canJoinByDomain(emailDomains, user.email)
  if (!isMember && !canJoin) throw new Failure('not_found', 'There is no such organization')
  requireCanJoin({ isMember, requiresSso: sso })
  await addMember(tx, { ...key, role: defaultRole as Role | null })
}
