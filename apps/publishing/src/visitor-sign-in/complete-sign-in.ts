import { hashToken } from '@recto/actor'
import type { SignedIn } from '@recto/openid'
import { Failure } from '@recto/operation'
import { providerClaims } from '../publishing-auth/provider-claims.rules.ts'
import type { SiteOidcRow } from '../publishing-auth/site-oidc.entity.ts'
import * as siteOidc from '../publishing-auth/site-oidc.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { hashOf, newSessionToken, sealContent } from '../visitor-sessions/session-content.ts'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'
import { askProvider } from './ask-provider.ts'
import { callbackAt, providerAt, trimmed, type SignInContext } from './provider-at.ts'
import { hashOfState, openState } from './sign-in-state.ts'

/** Milliseconds for which a session lasts at most, however long the provider says: browsers keep its cookie for no longer. */
const maxSession = 7 * 24 * 3_600_000
/** Milliseconds by which the clock of a provider may differ. */
const clockTolerance = 60_000

/** A browser that comes back from the provider. */
interface Return {
  url: string
  root: string
  browser: string
  query: string
  token?: string | undefined
}

/** The session of a visitor who signed in. */
interface NewSession {
  token: string
  expiresAt: string
}

/** Completes a sign-in, once. Throws `forbidden`, in words for the visitor, for one that is not the browser's, was completed, or is refused. */
export async function completeSignIn(
  { url, root, browser, query, token }: Return,
  context: SignInContext,
): Promise<NewSession & { location: string }> {
  const { site, oidc } = await providerAt({ url, root }, context)
  const { signingSecret: secrets, openid, transaction } = context
  const state = new URLSearchParams(query).get('state') ?? ''
  const signIn = openState(state, { siteId: site.id, browser, secrets })
  if (!signIn || signIn.root !== trimmed(root)) throw signInEnded()
  if (signIn.version !== oidc.version) throw settingsChanged()
  // Before the code is used: whatever happens then, nothing of this sign-in is used again.
  const isFirst = await transaction(tx => sessions.useSignIn(tx, { siteId: site.id, stateHash: hashOfState(state) }))
  if (!isFirst) throw signInEnded()
  const { nonce, verifier, location } = signIn
  const response = { redirectUri: callbackAt(root), query, state, nonce, verifier }
  const user = await askProvider(context, site.id, async () => {
    const signedIn = await openid.exchange(siteOidc.openIdSettings(oidc, secrets), response)
    // A signed claim comes before one that the provider only says.
    return { ...signedIn, claims: { ...(await signedIn.userInfo()), ...signedIn.claims } }
  })
  return { ...(await beginSession(user, { siteId: site.id, oidc, previous: token }, context)), location }
}

/** Begins the session of a user whom the provider signed in, unless the site or the provider have thought otherwise since. */
async function beginSession(
  { claims, sub, sid, issuedAt, expiresAt: validUntil, idToken }: SignedIn,
  { siteId, oidc, previous }: { siteId: string; oidc: SiteOidcRow; previous: string | undefined },
  { transaction, signingSecret }: BaseContext,
): Promise<NewSession> {
  const mapped = providerClaims(claims, oidc.claims)
  if ('refusal' in mapped) throw new Failure('forbidden', mapped.refusal)
  const token = newSessionToken()
  const tokenHash = hashToken(token)
  const row = {
    tokenHash,
    siteId,
    subject: hashOf('user', sub),
    providerSession: sid === undefined ? null : hashOf('session', sid),
    content: sealContent({ claims: mapped.claims, idToken }, tokenHash, signingSecret),
    startedAt: new Date(issuedAt),
    expiresAt: new Date(Math.min(validUntil + clockTolerance, Date.now() + maxSession)),
  }
  await transaction(async tx => {
    const current = await siteOidc.findUnchanged(tx, siteId)
    if (current?.version !== oidc.version) throw settingsChanged()
    if (await sessions.isLoggedOut(tx, row)) throw signInEnded()
    if (previous !== undefined) await sessions.end(tx, { siteId, token: previous })
    await sessions.insert(tx, row)
  })
  return { token, expiresAt: row.expiresAt.toISOString() }
}

function signInEnded(): Failure {
  return new Failure('forbidden', 'This sign-in has ended. Sign in again')
}

function settingsChanged(): Failure {
  return new Failure('forbidden', 'The site has changed how visitors sign in. Sign in again')
}
