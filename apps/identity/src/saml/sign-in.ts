import { recorded } from '@recto/contracts-shared'
import type { Db, Transaction } from '@recto/database'
import type { Role } from '@recto/actor'
import { actorOf, createId, scopeGroups } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { acceptInvites, lockInvitedTo } from '../invites/accept-invites.ts'
import { addMember } from '../members/add-members.ts'
import { setSso } from '../members/member-records.ts'
import * as members from '../members/members.repository.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import { setTeamMembers } from '../teams/change-team-members.ts'
import * as teamMembers from '../teams/team-members.repository.ts'
import * as teams from '../teams/teams.repository.ts'
import * as tokens from '../users/tokens.repository.ts'
import { issueToken } from '../users/tokens.rules.ts'
import type { UserRow } from '../users/user.entity.ts'
import * as users from '../users/users.repository.ts'
import type { ValidAssertion, Assertion } from './assertion.rules.ts'
import type { SignedIn } from './signed-in-page.ts'
import { subjectDisplayName, subjectEmail, planSignIn } from './subject.rules.ts'
import { endsSignIns, type ActiveProvider } from './provider.rules.ts'
import * as providers from './providers.repository.ts'
import { refusalOf, signInRefused, type Refusal } from './refusal.ts'
import { verifyResponse } from './service-provider.ts'
import * as signIns from './sign-ins.repository.ts'

const maxAssertionAge = 86_400_000

/** The subject of an assertion. */
interface Subject {
  email: string
  displayName: string
}

/** Completes a sign-in in one transaction. Throws `unauthenticated` when it is refused; the reason is logged only. */
export async function signIn(context: BaseContext, provider: ActiveProvider, field: string): Promise<SignedIn> {
  try {
    const now = new Date()
    const assertion = verifyResponse(provider, context.sso, { field, now: now.getTime() })
    const email = subjectEmail(assertion)
    if (email === undefined) throw signInRefused('name_id')
    const subject = { email, displayName: subjectDisplayName(assertion, email) }
    const { signedIn, userId } = await context.transaction(tx =>
      completeSignIn(tx, { provider, assertion, subject, now, ttl: context.sso.tokenTtl }),
    )
    context.log.info(
      { provider: provider.id, organization: provider.organizationId, user: userId },
      'a user signed in by single sign-on',
    )
    return signedIn
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal) await recordRefusal(context, provider, refusal)
    throw error
  }
}

/** Logs and records a refusal: the record has the reason alone. */
async function recordRefusal(
  { transaction, log }: BaseContext,
  { id: provider, organizationId: organization }: ActiveProvider,
  refusal: Refusal,
): Promise<void> {
  log.warn({ provider, organization, ...refusal }, 'a single sign-on was refused')
  const { reason } = refusal
  await transaction(async tx =>
    tx.record(recorded('member.sign-in.refused', { organization, samlProvider: provider, details: { reason } })),
  )
}

interface SignInAttempt {
  provider: ActiveProvider
  assertion: Assertion & ValidAssertion
  subject: Subject
  now: Date
  ttl: number
}

/**
 * Refuses a replayed assertion, finds or creates the user, and issues a token that ends with the session at the latest. Throws the refusal
 * for accounts that must not use this sign-on.
 */
async function completeSignIn(
  tx: Transaction,
  { provider, assertion, subject, now, ttl }: SignInAttempt,
): Promise<{ signedIn: SignedIn; userId: string }> {
  const organization = provider.organizationId
  await lockInvitedTo(tx, subject.email, organization)
  const current = await providers.getForKeyShare(tx, { organization, provider: provider.id })
  if (endsSignIns(provider, current)) throw signInRefused('provider_changed')
  await refuseReplay(tx, provider.id, assertion)
  const userId = await findOrCreateUser(tx, {
    organization,
    subject,
    defaults: { role: current.defaultRole, team: current.defaultTeam },
    now,
  })
  const expiresAt = new Date(Math.min(now.getTime() + ttl * 1000, assertion.sessionEnd ?? Infinity))
  const request = {
    name: `Single sign-on (${provider.label})`,
    scopes: [...scopeGroups],
    expiresAt: expiresAt.toISOString(),
  }
  const { row, token } = issueToken(request, {
    userId,
    issuerScopes: [...scopeGroups],
    signIn: { organization, provider: provider.id },
    now,
  })
  await tokens.insert(tx, row)
  const place = { organization, user: userId, samlProvider: provider.id, token: row.id }
  tx.record(recorded('member.signed-in', { ...place, actor: actorOf({ userId }) }))
  const { title } = await organizations.get(tx, organization)
  return { signedIn: { email: subject.email, organization: title, token, expiresAt }, userId }
}

/** Refuses a second use of an assertion, and a response to a request that was not made, has expired or was answered already. */
async function refuseReplay(
  db: Db,
  provider: string,
  { id, inResponseTo, expiresAt }: Assertion & ValidAssertion,
): Promise<void> {
  const storedUntil = new Date(Math.min(expiresAt, Date.now() + maxAssertionAge))
  if (!(await signIns.insertAssertion(db, { id, provider, expiresAt: storedUntil }))) throw signInRefused('replayed')
  if (!(await signIns.deleteRequest(db, { id: inResponseTo, provider }))) throw signInRefused('not_requested')
}

interface AccountRequest {
  organization: string
  subject: Subject
  defaults: { role: Role | null; team: string | null }
  now: Date
}

/** Finds the user who signs in, or creates one when nobody has the email; throws the refusal for accounts that must not use this sign-on. */
async function findOrCreateUser(tx: Transaction, finding: AccountRequest): Promise<string> {
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
