import type { Role } from '@recto/actor'
import type { Transaction } from '@recto/database'
import { createId } from '@recto/operation'
import { acceptInvites } from '../invites/accept-invites.ts'
import { addMember } from '../members/add-members.ts'
import { setSso } from '../members/member-records.ts'
import * as members from '../members/members.repository.ts'
import { setTeamMembers } from '../teams/change-team-members.ts'
import * as teamMembers from '../teams/team-members.repository.ts'
import * as teams from '../teams/teams.repository.ts'
import type { UserRow } from '../users/user.entity.ts'
import * as users from '../users/users.repository.ts'
import { planSignIn } from './account.rules.ts'
import { signInRefused } from './refusal.ts'

/** Who a provider says that signs in. */
export interface Subject {
  email: string
  displayName: string
}

/** A subject, the organization whose provider asserts it, and the provider's role and team for who is new. */
export interface AccountRequest {
  organization: string
  subject: Subject
  defaults: { role: Role | null; team: string | null }
  now: Date
}

/** Finds the user who signs in, or creates one when nobody has the email; throws the refusal for accounts that must not use this sign-on. */
export async function findOrCreateUser(tx: Transaction, finding: AccountRequest): Promise<string> {
  const user = await users.findByEmail(tx, finding.subject.email)
  if (!user) return createUser(tx, finding)
  const key = { organization: finding.organization, userId: user.id }
  const member = (await members.find(tx, key)) ?? (await joinInvited(tx, user, finding))
  const plan = planSignIn(member)
  if (plan !== 'signIn') throw signInRefused(plan)
  return user.id
}

async function createUser(tx: Transaction, finding: AccountRequest): Promise<string> {
  const { organization, subject, now } = finding
  const account = { id: createId(), photoUrl: null, platformAdmin: false, emailAssertedBy: organization }
  const user = await users.insert(tx, { ...subject, ...account, createdAt: now })
  await acceptInvites(tx, user, organization)
  await joinBySignIn(tx, user.id, finding)
  return user.id
}

/**
 * Makes a user a member whose email the organization has invited, and which its provider asserts now: the invite waited since only
 * the provider of another organization had asserted it.
 */
async function joinInvited(tx: Transaction, user: UserRow, finding: AccountRequest) {
  const isConfirmed = user.emailAssertedBy === null
  if (isConfirmed || (await acceptInvites(tx, user, finding.organization)) === 0) return undefined
  await joinBySignIn(tx, user.id, finding)
  return members.get(tx, { organization: finding.organization, userId: user.id })
}

/** Makes a user an SSO member; one who was invited has the role and teams of the invite. */
async function joinBySignIn(tx: Transaction, userId: string, { organization, defaults }: AccountRequest) {
  const member = { organization, userId }
  await addMember(tx, { ...member, role: defaults.role, sso: true })
  await setSso(tx, member)
  await addToDefaultTeam(tx, member, defaults.team)
}

async function addToDefaultTeam(
  tx: Transaction,
  { organization, userId }: { organization: string; userId: string },
  team: string | null,
): Promise<void> {
  if (team === null || !(await teams.lockAgainstDeletion(tx, { organization, team }))) return
  if (await teamMembers.findRole(tx, { organization, team }, userId)) return
  await setTeamMembers(tx, { organization, team }, [{ userId, role: 'member' }])
}
