import { looksLikeVisitorClaims } from '@recto/actor/visitor-claims'
import { visitorSignInPaths } from '@recto/contracts-publishing'
import type { Db } from '@recto/database'
import { Failure, type Secrets } from '@recto/operation'
import type { VisitedSite } from '../published-sites/read-visited-site.ts'
import { keysOf } from '../publishing-auth/site-auth.repository.ts'
import { admitMember } from '../publishing-auth/member-claims.rules.ts'
import { verifyMemberJwt } from '../publishing-auth/member-jwt.ts'
import { unsignedClaims } from '../publishing-auth/unsigned-claims.rules.ts'
import { verifyVisitorJwt, type VisitorJwt } from '../publishing-auth/visitor-jwt.ts'
import { looksLikeSessionToken, openContent } from '../visitor-sessions/session-content.ts'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'
import { memberRoot } from '../visitor-sessions/site-roots.rules.ts'
import { addressOf, hostOf } from '../addresses/addresses.rules.ts'
import type { BaseContext } from '../shared/context.ts'

/** The credentials and claims of a visitor. */
export interface VisitorPayload {
  jwtToken?: string | undefined
  unsignedClaims?: Record<string, unknown> | undefined
}

/** Who opens a site, and where. */
export interface Opening {
  visitor: VisitorPayload
  db: Db
  visits: BaseContext['visits']
  /** The address of the site by which it is opened, without a slash at its end. */
  root: string
  /** The parts of the path below the site. */
  parts: readonly string[]
  /** Whether a bad token leads to the login instead of a refusal. */
  redirectOnError: boolean
  publicUrl: string
  sitesUrl: string
  secret: Secrets
}

/** The claims of a visitor whom a site lets in, or where they have to log in. */
export type VisitorAccess = { claims: Record<string, unknown> } | { login: string }

/** Decides whether a visitor may read a published site. Throws `forbidden`, in words for the visitor, when their login is refused. */
export async function admitVisitor(visited: VisitedSite, opening: Opening): Promise<VisitorAccess> {
  const { site } = visited
  const { jwtToken } = opening.visitor
  const isRequired = site.visibility === 'visitor-auth'
  const login = loginOf(visited, opening)
  if (jwtToken === undefined) {
    if (!isRequired) return { claims: claimsOf(visited, {}, opening) }
    if (login !== undefined) return { login }
    throw new Failure('forbidden', 'This site needs a login, and no address is set where visitors log in')
  }
  const verified = await verifyLogin(jwtToken, visited, opening)
  if ('claims' in verified) return { claims: claimsOf(visited, verified.claims, opening) }
  // Who may read without a login does so without claims.
  if (!isRequired) return { claims: claimsOf(visited, {}, opening) }
  if (opening.redirectOnError && login !== undefined) return { login }
  throw new Failure('forbidden', verified.refusal)
}

/** Where visitors log in: at the provider of the site, or as members, by a path of its reader; or at a server of its owner. */
function loginOf(
  { site, auth, hasProvider, members }: VisitedSite,
  { root, parts, sitesUrl }: Opening,
): string | undefined {
  const signInRoot = members ? memberRoot(root, site, sitesUrl) : root
  if (hasProvider || members) return loginUrl(`${signInRoot}/${visitorSignInPaths.signIn}`, parts)
  return auth?.fallbackUrl ? loginUrl(auth.fallbackUrl, parts) : undefined
}

/** Verifies a login token: of a session by the site's provider, or signed by the site's own server, or by identity for members of the organization. */
async function verifyLogin(token: string, visited: VisitedSite, opening: Opening): Promise<VisitorJwt> {
  if (looksLikeSessionToken(token)) return verifySession(token, visited, opening)
  if (!looksLikeVisitorClaims(token)) return verifyVisitorJwt(token, expectations(visited, opening))
  const { publicUrl, secret } = opening
  return verifyMemberJwt(token, { ...visited, publicUrl }, secret)
}

/**
 * The claims of a session that has not ended: Postgres alone knows, so that one that ends does so for every reader. That of a member is
 * asked for at identity each time, so that it ends with theirs there, and with their membership.
 */
async function verifySession(
  token: string,
  { site, grants, members }: VisitedSite,
  { db, secret, visits }: Opening,
): Promise<VisitorJwt> {
  const ended = { refusal: 'The login has ended' }
  const session = await sessions.find(db, { siteId: site.id, token })
  const content = session && openContent(session, secret)
  if (!content) return ended
  if (!('memberSession' in content)) return { claims: content.claims }
  if (!members) return ended
  const body = { session: content.memberSession, organization: site.organizationId }
  const { member } = await visits.findVisit({ body })
  return admitMember(member, { site, grants, mapping: members.claims })
}

function expectations({ site, auth }: VisitedSite, { sitesUrl, secret }: Opening) {
  const address = addressOf(site, sitesUrl)
  return {
    keys: auth ? keysOf(auth, { secret, now: new Date() }) : [],
    audiences: [site.id, hostOf(site, sitesUrl), address, address.replace(/\/$/, '')],
  }
}

/** Without adaptive content nothing depends on claims, so that all visitors share what is read. */
function claimsOf(
  { site, adaptiveSchema }: VisitedSite,
  signed: Record<string, unknown>,
  { visitor }: Opening,
): Record<string, unknown> {
  if (!site.adaptiveContent) return {}
  return { ...signed, unsigned: unsignedClaims(visitor.unsignedClaims, adaptiveSchema) }
}

function loginUrl(fallback: string, parts: readonly string[]): string {
  const url = new URL(fallback)
  url.searchParams.set('location', `/${parts.map(encodeURIComponent).join('/')}`)
  return url.href
}
