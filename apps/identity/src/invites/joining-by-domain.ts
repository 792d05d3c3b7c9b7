import type { Db, OutgoingMessage } from '@recto/database'
import { Failure, type Role } from '@recto/operation'
import { join } from '../members/joining.ts'
import * as members from '../members/members.repository.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import * as users from '../users/users.repository.ts'
import { canJoinByDomain, requireJoinable } from './invites.policy.ts'

/** Makes a user a member of an organization that takes the domain of their e-mail, in the caller's transaction; for others it does not exist. */
export async function joinByDomain(
  db: Db,
  who: { organization: string; userId: string },
): Promise<OutgoingMessage | undefined> {
  const { emailDomains, defaultRole, sso } = await organizations.get(db, who.organization)
  const isMember = (await members.find(db, who)) !== undefined
  const { email } = await users.get(db, who.userId)
  if (!isMember && !canJoinByDomain(emailDomains, email))
    throw new Failure('not_found', 'There is no such organization')
  requireJoinable({ isMember, requiresSso: sso })
  return join(db, { ...who, role: defaultRole as Role | null })
}
