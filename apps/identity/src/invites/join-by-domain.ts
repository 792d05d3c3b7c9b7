import type { Transaction } from '@recto/database'
import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { join } from '../members/add-members'
import * as members from '../members/members.repository.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import * as users from '../users/users.repository.ts'
import { canJoinByDomain, requireJoinable } from './invites.policy.ts'

/** Makes a user a member of an organization that takes the domain of their e-mail, in the caller's transaction; for others it does not exist. */
export async function joinByDomain(tx: Transaction, who: { organization: string; userId: string }): Promise<void> {
  const { emailDomains, defaultRole, sso } = await organizations.get(tx, who.organization)
  const isMember = (await members.find(tx, who)) !== undefined
  const { email } = await users.get(tx, who.userId)
  if (!isMember && !canJoinByDomain(emailDomains, email))
    throw new Failure('not_found', 'There is no such organization')
  requireJoinable({ isMember, requiresSso: sso })
  await join(tx, { ...who, role: defaultRole as Role | null })
}
