import type { Transaction } from '@recto/database'
import { OpenIdFailure, type SignedIn as Authenticated } from '@recto/openid'
import { lockInvitedTo } from '../invites/accept-invites.ts'
import type { BaseContext } from '../shared/context.ts'
import { findOrCreateUser, type Subject } from '../sign-ins/find-or-create-user.ts'
import { issueSignInToken } from '../sign-ins/issue-sign-in-token.ts'
import { recordRefusal } from '../sign-ins/record-refusal.ts'
import { refusalOf, signInRefused } from '../sign-ins/refusal.ts'
import type { SignedIn } from '../sign-ins/signed-in-page.ts'
import { checksOf, hashOf, secretIn } from './browser.rules.ts'
import { subjectOf } from './claims.rules.ts'
import { acceptsEmail, endsSignIns, serviceUrls, type ActiveProvider } from './provider.rules.ts'
import * as providers from './providers.repository.ts'
import { registrationOf } from './registration.ts'
import * as signIns from './sign-ins.repository.ts'

const maxIdLength = 255

/** The answer of a provider (RFC 6749, section 4.1.2; RFC 9207), and the cookies of the browser that brings it. */
export interface Answer {
  response: {
    state?: string | undefined
    code?: string | undefined
    iss?: string | undefined
    error?: string | undefined
  }
  cookies: string | undefined
}

/**
 * Completes a sign-in. Its row is marked before the code is redeemed, and deleted in the transaction that makes the token, so that no code
 * and no state is used twice wherever the work ends. Throws `unauthenticated` when it is refused; the reason is logged only.
 */
export async function signIn(context: BaseContext, provider: ActiveProvider, answer: Answer): Promise<SignedIn> {
  try {
    const { state, authenticated } = await authenticate(context, provider, answer)
    const subject = subjectOf(await claimsOf(authenticated))
    if (typeof subject === 'string') throw signInRefused(subject)
    const now = new Date()
    const { signedIn, userId } = await context.transaction(tx =>
      completeSignIn(tx, { provider, state, authenticated, subject, now, ttl: context.sso.tokenTtl }),
    )
    context.log.info(
      { provider: provider.id, organization: provider.organizationId, user: userId },
      'a user signed in by single sign-on',
    )
    return signedIn
  } catch (error) {
    const refused = refusedBy(error)
    const refusal = refusalOf(refused)
    const place = { organization: provider.organizationId, oidcProvider: provider.id }
    if (refusal) await recordRefusal(context, place, refusal)
    throw refused
  }
}

/** The refusal for what a provider did wrong; other errors as they are. */
export function refusedBy(error: unknown): unknown {
  if (!(error instanceof OpenIdFailure)) return error
  const { reason, message } = error
  return signInRefused(reason === 'token_endpoint' ? 'token_response' : reason, message)
}

/** Takes the sign-in that an answer is of, and redeems its code. */
async function authenticate(context: BaseContext, provider: ActiveProvider, { response, cookies }: Answer) {
  const { state = '' } = response
  const { publicUrl, openId } = context
  const browser = secretIn(cookies, { state, publicUrl })
  if (!browser) throw signInRefused('browser')
  if (!(await signIns.redeem(context.db, { state, provider: provider.id, browserHash: hashOf(browser) })))
    throw signInRefused('not_requested')
  const { redirectURL: redirectUri } = serviceUrls(provider, publicUrl)
  const answer = { ...checksOf(browser), redirectUri, query: queryOf(response) }
  return { state, authenticated: await openId.exchange(registrationOf(provider, context), answer) }
}

function queryOf(response: Answer['response']): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(response)) if (value !== undefined) query.set(name, value)
  return query.toString()
}

/** The claims of the user: those of the userinfo endpoint where the ID token has no e-mail. */
async function claimsOf({ claims, userInfo }: Authenticated): Promise<Record<string, unknown>> {
  return claims['email'] === undefined ? ((await userInfo()) ?? claims) : claims
}

interface SignInAttempt {
  provider: ActiveProvider
  state: string
  authenticated: Authenticated
  subject: Subject
  now: Date
  ttl: number
}

/** Finds or creates the user, and issues a token. Throws the refusal for who must not use this sign-on, and when what it rests on has ended meanwhile. */
async function completeSignIn(
  tx: Transaction,
  { provider, state, authenticated, subject, now, ttl }: SignInAttempt,
): Promise<{ signedIn: SignedIn; userId: string }> {
  const { organizationId: organization, id } = provider
  await lockInvitedTo(tx, subject.email, organization)
  const current = await providers.getForKeyShare(tx, { organization, provider: id })
  if (endsSignIns(provider, current)) throw signInRefused('provider_changed')
  if (!(await signIns.remove(tx, { state, provider: id }))) throw signInRefused('provider_changed')
  const session = sessionOf(id, authenticated)
  if (await signIns.isSignedOut(tx, { ...session, issuedAt: new Date(authenticated.issuedAt) }))
    throw signInRefused('signed_out')
  if (!acceptsEmail(current, subject.email)) throw signInRefused('email_domain')
  const defaults = { role: current.defaultRole, team: current.defaultTeam }
  const userId = await findOrCreateUser(tx, { organization, subject, defaults, now })
  const signedIn = await issueSignInToken(tx, {
    userId,
    email: subject.email,
    label: provider.label,
    signIn: { organization, provider: null, oidc: session },
    expiresAt: new Date(now.getTime() + ttl * 1000),
    now,
  })
  return { signedIn, userId }
}

/** The session at the provider; ids that are longer than the specification allows are refused. */
function sessionOf(provider: string, { sub, sid }: Authenticated) {
  for (const id of [sub, sid ?? '']) if (id.length > maxIdLength || id.includes('\0')) throw signInRefused('structure')
  return { provider, sub, sid: sid ?? null }
}
