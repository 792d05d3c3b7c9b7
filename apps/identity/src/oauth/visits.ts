import type { IncomingMessage, ServerResponse } from 'node:http'
import { verifyVisitRequest, visitPath, type VisitRequest } from '@recto/actor/visit-request'
import type { Role } from '@recto/actor'
import type Provider from 'oidc-provider'
import * as organizations from '../organizations/organizations.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import * as users from '../users/users.repository.ts'
import { currentWork } from './current-work.ts'
import { badVisitPage, expiredVisitPage, refusedVisitPage } from './pages/visit-pages.ts'
import { send } from './question.ts'
import { findSignInToken, type SignInToken } from './sign-in-token.ts'
import { decideVisit, type VisitState } from './visit.rules.ts'
import { visitCodes } from './visit-codes.ts'
import { signInUrl } from './visit-client.ts'

/** A browser that wants to read a site as a member of its organization. */
interface Visit {
  provider: Provider
  request: IncomingMessage
  response: ServerResponse
  fields: URLSearchParams
}

/** Who is signed in, and the session of their browser. */
interface SignedIn {
  session: string
  signIn: SignInToken
}

/** Sends a browser to a site, as the member who is signed in; to the sign-in page first, where nobody is. */
export async function answerVisit({ provider, request, response, fields }: Visit): Promise<void> {
  const { context } = currentWork()
  const { publicUrl, signingSecret } = context
  const returned = fields.get('state')
  const text = fields.get('request') ?? returned ?? ''
  const visit = await verifyVisitRequest(text, publicUrl, signingSecret)
  if (!visit) return send(response, { status: 400, page: badVisitPage() })
  if (visit.isExpired) return send(response, { status: 400, page: expiredVisitPage(visit) })
  const signedIn = await findSignedIn(provider, { request, response })
  const state = await stateOf(visit, { signedIn, context })
  const answer = decideVisit({ ...state, hasReturned: returned !== null })
  if (answer === 'sign-in') return redirect(response, signInUrl(publicUrl, text))
  if (answer === 'code' && signedIn) return redirect(response, await siteUrl(visit, { signedIn, context }))
  const reason = answer === 'code' ? 'no-session' : answer
  const page = refusedVisitPage({
    reason,
    site: visit,
    organization: await titleOf(visit, context),
    otherAccount: signInUrl(publicUrl, text, { isAnother: true }),
    ...(signedIn && { email: (await users.get(context.db, signedIn.signIn.row.userId)).email }),
  })
  send(response, { status: reason === 'no-session' ? 400 : 403, page })
}

/** Who is signed in at a browser; nobody, once the token of the sign-in has ended. */
async function findSignedIn(
  provider: Provider,
  { request, response }: Pick<Visit, 'request' | 'response'>,
): Promise<SignedIn | undefined> {
  const { accountId, uid } = await provider.Session.get(provider.createContext(request, response))
  const signIn = accountId === undefined ? undefined : await findSignInToken(currentWork().context.db, accountId)
  return signIn && { session: uid, signIn }
}

/** The state of a browser for a visit. */
async function stateOf(
  { organization, site }: VisitRequest,
  { signedIn, context }: { signedIn: SignedIn | undefined; context: BaseContext },
): Promise<Omit<VisitState, 'hasReturned'>> {
  const nobody = { isSignedIn: signedIn !== undefined, standing: 'none', isVisible: false } as const
  if (!signedIn) return nobody
  const { memberships, ssoRequired, userId: user } = signedIn.signIn.resolved
  if (ssoRequired.includes(organization)) return { ...nobody, standing: 'needs-single-sign-on' }
  const membership = memberships.find(each => each.organization === organization)
  if (!membership) return nobody
  const member = { user, role: membership.role as Role | null, teams: membership.teams }
  const { isVisible } = await context.publishing.checkVisit({ body: { organization, site, member } })
  return { isSignedIn: true, standing: 'member', isVisible }
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

async function titleOf({ organization }: VisitRequest, { db }: BaseContext): Promise<string> {
  const [row] = await organizations.findByIds(db, [organization])
  return row?.title ?? 'the organization'
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end()
}

/** Whether a path is that at which members sign in for a site. */
export function isVisit(pathname: string): boolean {
  return pathname === visitPath
}
