import type { Db, Transaction } from '@recto/database'
import { addMember } from '../members/add-members.ts'
import { lockOrganizations } from '../organizations/organizations.repository.ts'
import * as pending from './pending-invites.repository.ts'

/**
 * Takes the locks for creating a user, in the order that avoids deadlocks: the email, then the organizations that have invited it
 * and those given, which the user joins as well.
 */
export async function lockNewUser(db: Db, email: string, organizations: string[] = []): Promise<void> {
  await pending.lockEmails(db, [email])
  await lockOrganizations(db, [...organizations, ...(await pending.findInvitingOrganizations(db, email))])
}

/** Makes a new user a member of every organization that invited their email. The caller's transaction must hold the locks of `lockNewUser`. */
export async function acceptInvites(tx: Transaction, { id, email }: { id: string; email: string }): Promise<void> {
  for (const { organizationId, role, sso, teams } of await pending.deleteByEmail(tx, email)) {
    await addMember(tx, { organization: organizationId, userId: id, role, sso, teams })
  }
}
