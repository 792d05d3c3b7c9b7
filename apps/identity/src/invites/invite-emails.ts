import type { Db, Transaction } from '@recto/database'
import type { Role } from '@recto/actor'
import { joinAll } from '../members/add-members'
import type { TeamRole } from '../members/team-member.entity'
import * as users from '../users/users.repository.ts'
import * as pending from './pending-invites.repository'

/** Somebody invited by e-mail. */
export interface Invited {
  email: string
  role: Role | null
  sso?: boolean
  /** A place in a team that goes with it. */
  place?: { team: string; role: TeamRole; keeps: boolean }
}

/** What became of invites. */
export interface InviteOutcome {
  /** Users who are members now and were not before. */
  added: string[]
  /** E-mails of nobody, which wait for their user. */
  waiting: string[]
}

/**
 * Invites e-mails in the caller's transaction, which has locked them: a user of the platform is a member at once, an e-mail of nobody waits for its
 * user. Members stay as they are. Each e-mail must be there once, in lower case. As many statements for a thousand as for one.
 */
export async function inviteEmails(tx: Transaction, organization: string, invited: Invited[]): Promise<InviteOutcome> {
  const emails = invited.map(({ email }) => email)
  const known = new Map((await users.byEmails(tx, emails)).map(user => [user.email.toLowerCase(), user.id]))
  const newcomers = invited.flatMap(({ email, role, sso = false, place }) => {
    const userId = known.get(email)
    return userId === undefined ? [] : [{ userId, role, sso, teams: place ? [place] : [] }]
  })
  const added = await joinAll(tx, organization, newcomers)
  const waiting = invited.filter(({ email }) => !known.has(email))
  await remember(tx, organization, waiting)
  return { added, waiting: waiting.map(({ email }) => email) }
}

async function remember(db: Db, organization: string, waiting: Invited[]): Promise<void> {
  await pending.invite(
    db,
    organization,
    waiting.filter(({ place }) => !place),
  )
  await pending.inviteToTeam(
    db,
    organization,
    waiting.flatMap(({ email, role, place }) => (place ? [{ email, role, place }] : [])),
  )
}
