import { sealVisitEnd, sealVisitRequest, visitChallenge, visitEndPath, visitPath } from '@recto/actor/visit-request'
import { Failure } from '@recto/operation'
import { admitMember } from '../publishing-auth/member-claims.rules.ts'
import type { MemberVisitorsRow } from '../publishing-auth/member-visitors.entity.ts'
import * as memberVisitors from '../publishing-auth/member-visitors.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import type { SiteGrants } from '../site-access/site-access.policy.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import { beginSession, type NewSession } from './begin-session.ts'
import { signInEnded } from './sign-in-failures.ts'
import { signInLimit, type SignInState } from './sign-in-state.ts'

/** A sign-in of a member, which has begun. */
interface MemberSignIn {
  signIn: Pick<SignInState, 'verifier' | 'expiresAt'>
  state: string
  redirectUri: string
}

/** Where a member signs in for a site: at the authorization server of the installation. */
export async function memberSignInUrl(
  { organizationId: organization, id: site }: SiteRow,
  { signIn: { verifier, expiresAt }, state, redirectUri }: MemberSignIn,
  { publicUrl, signingSecret }: Pick<BaseContext, 'publicUrl' | 'signingSecret'>,
): Promise<string> {
  const { host } = new URL(redirectUri)
  const request = { organization, site, host, redirectUri, state, challenge: visitChallenge(verifier), expiresAt }
  const sealed = await sealVisitRequest(request, publicUrl, signingSecret)
  return `${publicUrl}${visitPath}?${new URLSearchParams({ request: sealed })}`
}

/** Where a member signs out of the installation, and goes on to an address: their browser alone knows who is signed in there. */
export async function memberSignOutUrl(
  root: string,
  returnTo: string,
  { publicUrl, signingSecret }: Pick<BaseContext, 'publicUrl' | 'signingSecret'>,
): Promise<string> {
  const expiresAt = Date.now() + signInLimit
  const sealed = await sealVisitEnd({ host: new URL(root).host, returnTo, expiresAt }, publicUrl, signingSecret)
  return `${publicUrl}${visitEndPath}?${new URLSearchParams({ request: sealed })}`
}

/** A browser that comes back with a code. */
interface MemberReturn {
  redirectUri: string
  query: string
  verifier: string
}

/** The site that a member wants to read. */
interface MembersSite {
  site: SiteRow
  grants: SiteGrants
  members: MemberVisitorsRow
  previous: string | undefined
}

/** Begins the session of a member on a site, which is a part of theirs at identity. Throws `forbidden` for a code that is not good, and for those who do not see the site. */
export async function completeMemberSignIn(
  { redirectUri, query, verifier }: MemberReturn,
  { site, grants, members, previous }: MembersSite,
  context: BaseContext,
): Promise<NewSession> {
  const { id: siteId, organizationId: organization } = site
  const code = new URLSearchParams(query).get('code') ?? ''
  const body = { code, organization, site: siteId, redirectUri, verifier }
  const { member } = await context.visits.redeemVisitCode({ body })
  if (!member) throw signInEnded()
  const admitted = admitMember(member, { site, grants, mapping: members.claims })
  if ('refusal' in admitted) throw new Failure('forbidden', admitted.refusal)
  const { user, session, endsAt } = member
  return beginSession(
    { siteId, user, session, content: { memberSession: session }, startedAt: Date.now(), endsAt, previous },
    async tx => (await memberVisitors.findUnchanged(tx, siteId))?.version === members.version,
    context,
  )
}
