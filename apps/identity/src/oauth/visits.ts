import { openVisitRequest, type VisitRequest } from '@recto/actor/visit-request'
import type { Role } from '@recto/actor'
import type { BaseContext } from '../shared/context.ts'
import * as users from '../users/users.repository.ts'
import { currentWork } from './current-work.ts'
import { badVisitPage, expiredVisitPage, refusedVisitPage } from './pages/visit-pages.ts'
import { redirect, send, type Step } from './question.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'
import { decideVisit, mayReadSites, visitScopes, type VisitState } from './visit.rules.ts'
import { visitCodes } from './visit-codes.ts'
import { signInUrl } from './visit-client.ts'

/** Sends a browser to a site, as the member who is signed in; to the sign-in page first, where nobody is. */
export async function answerVisit({ provider, request, response, fields }: Step): Promise<void> {
  const { context } = currentWork()
  const { publicUrl, signingSecret } = context
  const returned = fields.get('state')
  const text = fields.get('request') ?? returned ?? ''
  const visit = await openVisitRequest(text, publicUrl, signingSecret)
  if (!visit) return send(response, { status: 400, page: badVisitPage() })
  if (visit.isExpired) return send(response, { status: 400, page: expiredVisitPage(visit) })
  const signedIn = await findSignedIn({ provider, request, response })
  const state = await stateOf(visit, { signedIn, context })
  const answer = decideVisit({ ...state, hasReturned: returned !== null })
  if (answer === 'sign-in') return redirect(response, signInUrl(publicUrl, text))
  if (answer === 'code' && signedIn) return redirect(response, await siteUrl(visit, { signedIn, context }))
  const reason = answer === 'code' ? 'no-session' : answer
  const page = refusedVisitPage({
    reason,
    site: visit,
    scopes: visitScopes,
    otherAccount: signInUrl(publicUrl, text, { isAnother: true }),
    ...(signedIn && { email: (await users.get(context.db, signedIn.signIn.row.userId)).email }),
  })
  send(response, { status: reason === 'no-session' ? 400 : 403, page })
}

/** The state of a browser for a visit. */
async function stateOf(
  { organization, site }: VisitRequest,
  { signedIn, context }: { signedIn: SignedIn | undefined; context: BaseContext },
): Promise<Omit<VisitState, 'hasReturned'>> {
  const nobody = { isSignedIn: signedIn !== undefined, standing: 'none', isVisible: false } as const
  if (!signedIn) return nobody
  const { memberships, ssoRequired, scopes, userId: user } = signedIn.signIn.resolved
  if (ssoRequired.includes(organization)) return { ...nobody, standing: 'needs-single-sign-on' }
  const membership = memberships.find(each => each.organization === organization)
  if (!membership) return nobody
  const member = { user, role: membership.role as Role | null, teams: membership.teams }
  const { isVisible } = await context.publishing.checkVisit({ body: { organization, site, member } })
  return { isSignedIn: true, standing: mayReadSites(scopes) ? 'member' : 'lacks-scope', isVisible }
}

/** The address of the site, with a code for it. */
async function siteUrl(
  { organization, site, redirectUri, challenge, state }: VisitRequest,
  { signedIn: { session, signIn }, context }: { signedIn: SignedIn; context: BaseContext },
): Promise<string> {
  const content = { organization, site, redirectUri, challenge, session }
  const value = await visitCodes.issue(context.db, { content, tokenId: signIn.row.id }, context.signingSecret)
  const url = new URL(redirectUri)
  url.searchParams.set('code', value)
  url.searchParams.set('state', state)
  return url.href
}
