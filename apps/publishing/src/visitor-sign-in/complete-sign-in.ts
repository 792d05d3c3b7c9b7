import { Failure } from '@recto/operation'
import { providerClaims } from '../publishing-auth/provider-claims.rules.ts'
import type { SiteOidcRow } from '../publishing-auth/site-oidc.entity.ts'
import * as siteOidc from '../publishing-auth/site-oidc.repository.ts'
import { hashOfState, openState, type SignInState } from './sign-in-state.ts'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'
import { askProvider } from './ask-provider.ts'
import { beginSession, type NewSession } from './begin-session.ts'
import { completeMemberSignIn } from './member-sign-in.ts'
import { callbackAt, signInAt, trimmed, versionOf, type SignInContext } from './sign-in-at.ts'
import { settingsChanged, signInEnded } from './sign-in-failures.ts'

/** Milliseconds by which the clock of a provider may differ. */
const clockTolerance = 60_000

/** A browser that comes back from where visitors sign in. */
interface Return {
  url: string
  root: string
  browser: string
  query: string
  token?: string | undefined
}

/** Completes a sign-in, once. Throws `forbidden`, in words for the visitor, for one that is not the browser's, was completed, or is refused. */
export async function completeSignIn(
  { url, root, browser, query, token: previous }: Return,
  context: SignInContext,
): Promise<NewSession & { location: string }> {
  const { site, grants, way } = await signInAt({ url, root }, context)
  const { signingSecret: secrets, transaction } = context
  const state = new URLSearchParams(query).get('state') ?? ''
  const signIn = openState(state, { siteId: site.id, browser, secrets })
  if (!signIn || signIn.root !== trimmed(root)) throw signInEnded()
  if (signIn.version !== versionOf(way)) throw settingsChanged()
  // Before the code is used: whatever happens then, nothing of this sign-in is used again.
  const isFirst = await transaction(tx => sessions.useSignIn(tx, { siteId: site.id, stateHash: hashOfState(state) }))
  if (!isFirst) throw signInEnded()
  const response = { redirectUri: callbackAt(root), query, verifier: signIn.verifier }
  const session =
    'oidc' in way
      ? await completeAtProvider({ ...response, state, signIn }, { oidc: way.oidc, previous }, context)
      : await completeMemberSignIn(response, { site, grants, members: way.members, previous }, context)
  return { ...session, location: signIn.location }
}

/** The answer of a provider, and the sign-in that it is of. */
interface ProviderAnswer {
  redirectUri: string
  query: string
  state: string
  signIn: SignInState
}

/** Begins the session of a user whom the provider signed in. */
async function completeAtProvider(
  { redirectUri, query, state, signIn: { nonce, verifier } }: ProviderAnswer,
  { oidc, previous }: { oidc: SiteOidcRow; previous: string | undefined },
  context: SignInContext,
): Promise<NewSession> {
  const { siteId } = oidc
  const { signingSecret: secrets, openid } = context
  const { claims, sub, sid, issuedAt, expiresAt, idToken } = await askProvider(context, siteId, async () => {
    const response = { redirectUri, query, state, nonce, verifier }
    const signedIn = await openid.exchange(siteOidc.openIdSettings(oidc, secrets), response)
    // A signed claim comes before one that the provider only says.
    return { ...signedIn, claims: { ...(await signedIn.userInfo()), ...signedIn.claims } }
  })
  const mapped = providerClaims(claims, oidc.claims)
  if ('refusal' in mapped) throw new Failure('forbidden', mapped.refusal)
  const content = { claims: mapped.claims, idToken }
  const times = { startedAt: issuedAt, endsAt: expiresAt + clockTolerance }
  return beginSession(
    { siteId, user: sub, session: sid, content, ...times, previous },
    async tx => (await siteOidc.findUnchanged(tx, siteId))?.version === oidc.version,
    context,
  )
}
