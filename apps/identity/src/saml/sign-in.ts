import type { Db, Transaction } from '@recto/database'
import type { BaseContext } from '../shared/context.ts'
import { lockInvitedTo } from '../invites/accept-invites.ts'
import { findOrCreateUser, type Subject } from '../sign-ins/find-or-create-user.ts'
import { issueSignInToken } from '../sign-ins/issue-sign-in-token.ts'
import { recordRefusal } from '../sign-ins/record-refusal.ts'
import { refusalOf, signInRefused } from '../sign-ins/refusal.ts'
import type { SignedIn } from '../sign-ins/signed-in-page.ts'
import type { ValidAssertion, Assertion } from './assertion.rules.ts'
import { subjectDisplayName, subjectEmail } from './subject.rules.ts'
import { endsSignIns, type ActiveProvider } from './provider.rules.ts'
import * as providers from './providers.repository.ts'
import { verifyResponse } from './service-provider.ts'
import * as signIns from './sign-ins.repository.ts'

const maxAssertionAge = 86_400_000

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
    const place = { organization: provider.organizationId, samlProvider: provider.id }
    if (refusal) await recordRefusal(context, place, refusal)
    throw error
  }
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
  const signedIn = await issueSignInToken(tx, {
    userId,
    email: subject.email,
    label: provider.label,
    signIn: { organization, provider: provider.id },
    expiresAt,
    now,
  })
  return { signedIn, userId }
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
