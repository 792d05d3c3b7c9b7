import type { Db, Transaction } from '@recto/database'
import { join } from '../members/add-members'
import { lockPeople } from '../members/members.repository.ts'
import * as pending from './pending-invites.repository'

/**
 * Locks what making a user takes, in the order that everybody keeps: the e-mail, then the organizations where it is invited and
 * those that the user joins besides.
 */
export async function lockNewcomer(db: Db, email: string, organizations: string[] = []): Promise<void> {
  await pending.lockEmails(db, [email])
  await lockPeople(db, [...organizations, ...(await pending.organizationsOf(db, email))])
}

/** Makes a new user a member wherever their e-mail was invited, in the caller's transaction, which has locked them. */
export async function acceptInvites(tx: Transaction, { id, email }: { id: string; email: string }): Promise<void> {
  for (const { organizationId, role, sso, teams } of await pending.take(tx, email)) {
    await join(tx, { organization: organizationId, userId: id, role, sso, teams })
  }
}
