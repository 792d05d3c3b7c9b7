import { visitorSignInPaths } from '@recto/contracts-publishing'
import { Failure } from '@recto/operation'
import * as siteAuth from '../publishing-auth/site-auth.repository.ts'
import type { SiteOidcRow } from '../publishing-auth/site-oidc.entity.ts'
import * as siteOidc from '../publishing-auth/site-oidc.repository.ts'
import { openContent } from '../visitor-sessions/session-content.ts'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'
import { askProvider } from './ask-provider.ts'
import { memberSignOutUrl } from './member-sign-in.ts'
import { signInAt, trimmed, type SignInContext } from './sign-in-at.ts'

/** Ends the session of a visitor, and says where they go: a member's ends at identity, too, and by that on all sites. */
export async function endSession(
  { url, root, token }: { url: string; root: string; token?: string | undefined },
  context: SignInContext,
): Promise<{ redirect: string }> {
  const { site, way } = await signInAt({ url, root }, context)
  const { db, signingSecret, transaction, visits } = context
  const siteId = site.id
  const session = token === undefined ? undefined : await sessions.find(db, { siteId, token })
  const content = session && openContent(session, signingSecret)
  // First, so that a visitor who is told that they are signed out is: what fails here can be tried again.
  if (content && 'memberSession' in content) await visits.endVisit({ body: { session: content.memberSession } })
  if (session && token !== undefined) await transaction(tx => sessions.end(tx, { siteId, token }))
  const returnTo = (await siteAuth.find(db, siteId))?.logoutUrl ?? `${trimmed(root)}/${visitorSignInPaths.signedOut}`
  // Also without a session here: the visitor may be signed in there, and would be again with the next page.
  if (!('oidc' in way)) return { redirect: await memberSignOutUrl(root, returnTo, context) }
  const idToken = content && 'idToken' in content ? content.idToken : undefined
  return { redirect: (await logoutAtProvider(way.oidc, { idToken, returnTo }, context)) ?? returnTo }
}

/** Where a provider signs its user out; undefined where it has no address for that, or does not answer: the session here has ended already. */
async function logoutAtProvider(
  oidc: SiteOidcRow,
  logout: { idToken: string | undefined; returnTo: string },
  context: SignInContext,
): Promise<string | undefined> {
  const { signingSecret, openid } = context
  return askProvider(context, oidc.siteId, () =>
    openid.endSessionUrl(siteOidc.openIdSettings(oidc, signingSecret), logout),
  ).catch((error: unknown) => {
    if (error instanceof Failure) return undefined
    throw error
  })
}
