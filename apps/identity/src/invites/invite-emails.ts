import { recorded } from '@recto/contracts-shared'
import type { Db, Transaction } from '@recto/database'
import type { Role } from '@recto/actor'
import { addMembers } from '../members/add-members.ts'
import { findMemberIds } from '../members/members.repository.ts'
import type { TeamRole } from '../teams/team-member.entity.ts'
import { isEmailProven } from '../users/emails.rules.ts'
import * as users from '../users/users.repository.ts'
import * as pendingInvites from './pending-invites.repository.ts'

/** An invite by email, which must be lower case. */
export interface EmailInvite {
  email: string
  role: Role | null
  sso?: boolean
  /** The team to join as well; with `keepsRole`, an email that is invited to it already keeps its role there. */
  team?: { team: string; role: TeamRole; keepsRole: boolean }
}

/** The result of inviting emails. */
export interface InviteOutcome {
  /** User ids of the new members. */
  added: string[]
  /** Emails without a user, whose invites are pending. */
  pending: string[]
}

/**
 * Invites emails, which the caller's transaction must have locked with `lockEmails`: users of the platform become members at once,
 * the invites of other emails stay pending until somebody asserts them. Existing members are not changed. Each email may occur once.
 * The number of statements does not grow with the emails.
 */
export async function inviteEmails(
  tx: Transaction,
  organization: string,
  invited: EmailInvite[],
): Promise<InviteOutcome> {
  const emails = invited.map(({ email }) => email)
  const userIds = await findProvenUsers(tx, organization, emails)
  const newMembers = invited.flatMap(({ email, role, sso = false, team }) => {
    const userId = userIds.get(email)
    return userId === undefined ? [] : [{ userId, role, sso, teams: team ? [team] : [] }]
  })
  const added = await addMembers(tx, organization, newMembers)
  const pending = invited.filter(({ email }) => !userIds.has(email))
  await savePendingInvites(tx, organization, pending)
  return { added, pending: pending.map(({ email }) => email) }
}

/** The user ids of emails, in lower case, that are proven to the organization, and of its members. */
async function findProvenUsers(db: Db, organization: string, emails: string[]): Promise<Map<string, string>> {
  const accounts = await users.findByEmails(db, emails)
  const members = await findMemberIds(
    db,
    organization,
    accounts.map(({ id }) => id),
  )
  const proven = accounts.filter(user => isEmailProven(user, organization) || members.has(user.id))
  return new Map(proven.map(user => [user.email.toLowerCase(), user.id]))
}

async function savePendingInvites(tx: Transaction, organization: string, invites: EmailInvite[]): Promise<void> {
  const savedInvites = await pendingInvites.upsertInvites(
    tx,
    organization,
    invites.filter(({ team }) => !team),
  )
  for (const { id: invite, isNew, role } of savedInvites)
    tx.record(recorded(isNew ? 'invite.created' : 'invite.updated', { organization, invite, details: { role } }))
  const toTeams = await pendingInvites.upsertTeamInvites(
    tx,
    organization,
    invites.flatMap(({ email, role, team }) => (team ? [{ email, role, team }] : [])),
  )
  for (const { id: invite, isNew } of toTeams)
    tx.record(
      recorded(isNew ? 'invite.created' : 'invite.updated', { organization, invite, details: { fields: ['teams'] } }),
    )
}
