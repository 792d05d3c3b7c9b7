import { randomBytes } from 'node:crypto'
import { ApiFailure, type ApiClient } from '../api/api-client.ts'
import type { RequestAddress } from '../addresses/request-address.rules.ts'
import { redirectResponse, type PageResponse } from '../responses/page-response.ts'
import { linkedPage } from './linked-page.ts'
import { guardSigning, type SigningAction } from './signing-guard.rules.ts'
import { locationIn, signInFrom, type SignInPath } from './sign-in-path.rules.ts'
import { browserCookies, browserOf, forgottenCookies, sessionCookies, sessionOf } from './visitor-cookies.ts'

/** A request to sign in or out by the provider of a site. */
export interface SignInRequest {
  method: string
  headers: Readonly<Record<string, string | undefined>>
  /** The network address of the visitor. */
  visitorAddress: string | undefined
  /** The origin that the visitor's browser shows. */
  origin: string
  /** The query, without `?`. */
  query: string
  at: RequestAddress
  signIn: SignInPath
}

/** Milliseconds for a reply: the API asks the provider up to four times. */
const timeout = 30_000

/** Search engines and caches keep nothing of a sign-in, and no other site gets its address. */
const signInHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' }

/** Signs a visitor in or out by the provider of a site. What the API refuses is a page that leads to another sign-in. */
export async function answerSignIn(request: SignInRequest, api: ApiClient): Promise<PageResponse> {
  const answer = await answerAction(request, api)
  return { ...answer, headers: { ...answer.headers, ...signInHeaders }, operation: 'signing' }
}

function answerAction(request: SignInRequest, api: ApiClient): PageResponse | Promise<PageResponse> {
  const { action, root } = request.signIn
  if (request.method === 'POST') throw new ApiFailure(405, 'This method is not supported')
  if (action === 'signIn') return start(request, api)
  if (action === 'callback') return complete(request, api)
  if (action === 'signOut') return endSession(request, api)
  return signInPage({ status: 200, title: 'You are signed out', message: 'You have left this documentation.', root })
}

/** The answer to a browser that must not sign anybody in or out yet; undefined where it may, or where that changes nothing. */
export function guardedAnswer(
  action: SigningAction,
  { headers, path }: { headers: SignInRequest['headers']; path: string },
): PageResponse | undefined {
  const guard = guardSigning(action, headers)
  if (guard === 'act') return undefined
  if (guard === 'refuse') throw new ApiFailure(403, 'Open this address in a window of its own')
  const page = linkedPage({
    status: 200,
    title: 'Sign out?',
    message: 'A page of another site has led you here. You are still signed in.',
    link: { href: path, text: 'Sign out' },
  })
  return { ...page, headers: { ...page.headers, ...signInHeaders }, operation: 'signing' }
}

/** Ends the session of a visitor, and that at the provider where it has an address for that. */
async function endSession(
  { visitorAddress, origin, at, signIn: { root }, headers }: SignInRequest,
  api: ApiClient,
): Promise<PageResponse> {
  const token = sessionOf({ headers }, at)
  const body = { ...placeOf({ origin, at, root }), ...(token !== undefined && { token }) }
  const redirect = await send<{ redirect: string }>(api, { path: '/urls/published/sign-out', body, visitorAddress })
  return { ...redirectResponse(redirect.redirect), cookies: forgottenCookies(at) }
}

async function start(request: SignInRequest, api: ApiClient): Promise<PageResponse> {
  const { headers, query, origin, at, visitorAddress, signIn } = request
  const { root } = signIn
  const place = placeOf({ origin, at, root })
  const browser = browserOf({ headers }, at) ?? randomBytes(32).toString('base64url')
  const body = { ...place, url: `${place.url}${locationIn(query).slice(1)}`, browser }
  const { redirect } = await send<{ redirect: string }>(api, { path: '/urls/published/sign-in', body, visitorAddress })
  return { ...redirectResponse(redirect), cookies: browserCookies(browser, at) }
}

async function complete(request: SignInRequest, api: ApiClient): Promise<PageResponse> {
  const { headers, query, origin, at, visitorAddress, signIn } = request
  const { root } = signIn
  const browser = browserOf({ headers }, at)
  if (browser === undefined || query === '') return refused('This sign-in did not begin in this browser.', root)
  const token = sessionOf({ headers }, at)
  const body = { ...placeOf({ origin, at, root }), browser, query, ...(token !== undefined && { token }) }
  try {
    const session = await send<{ token: string; expiresAt: string; location: string }>(api, {
      path: '/urls/published/sign-in/complete',
      body,
      visitorAddress,
    })
    const cookies = sessionCookies(session.token, session.expiresAt, at)
    return { ...redirectResponse(`${root}${session.location}`), cookies }
  } catch (error) {
    if (error instanceof ApiFailure && [400, 403, 503].includes(error.status))
      return refused(error.message, root, error.status)
    throw error
  }
}

/** Where the site is for the API, and in the browser. */
function placeOf({ origin, at, root }: { origin: string; at: RequestAddress; root: string }) {
  return { url: `${at.site}${root.slice(at.mountPath.length)}/`, root: `${origin}${root}` }
}

async function send<Reply>(
  api: ApiClient,
  request: { path: string; body: object; visitorAddress: string | undefined },
): Promise<Reply> {
  const { text } = await api.send({ ...request, method: 'POST', timeout })
  return JSON.parse(text) as Reply
}

function refused(message: string, root: string, status = 403): PageResponse {
  return signInPage({ status, title: 'You are not signed in', message, root })
}

function signInPage({ root, ...page }: { status: number; title: string; message: string; root: string }): PageResponse {
  return linkedPage({ ...page, link: { href: signInFrom(root, '/'), text: 'Sign in again' } })
}
