import { recorded } from '@recto/contracts-shared'
import type { Db, Transaction } from '@recto/database'
import { addMember } from '../members/add-members.ts'
import { lockOrganizations } from '../organizations/organizations.repository.ts'
import * as pending from './pending-invites.repository.ts'

/** Takes the locks for accepting all invites of an email, in the order that avoids deadlocks: the email, then the organizations. */
export async function lockInvited(db: Db, email: string): Promise<void> {
  await pending.lockEmails(db, [email])
  await lockOrganizations(db, await pending.findInvitingOrganizations(db, email))
}

/** Takes the locks for accepting the invite of an email to one organization, and for creating its user there. */
export async function lockInvitedTo(db: Db, email: string, organization: string): Promise<void> {
  await pending.lockEmails(db, [email])
  await lockOrganizations(db, [organization])
}

/**
 * Makes a user a member of the organizations that invited their email: of all when a platform administrator asserts it, of one when
 * its single sign-on does. Resolves to the number of invites. The caller's transaction must hold the locks.
 */
export async function acceptInvites(
  tx: Transaction,
  { id, email }: { id: string; email: string },
  organization?: string,
): Promise<number> {
  const invites = await pending.deleteByEmail(tx, email, organization)
  for (const { id: invite, organizationId, role, sso, teams } of invites) {
    tx.record(recorded('invite.deleted', { organization: organizationId, invite, details: { isAccepted: true } }))
    await addMember(tx, { organization: organizationId, userId: id, role, sso, teams })
  }
  return invites.length
}
