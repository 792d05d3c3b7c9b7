import { parseCookie, stringifySetCookie } from 'cookie'
import type { RequestAddress } from '../addresses/request-address.rules.ts'
import { visitorCookies, visitorOf, type Visitor } from '../loaders/visitor.rules.ts'

/** Seconds for which a browser keeps what a visitor is known to be. */
const visitorKept = 7 * 24 * 3_600
/** Seconds for which a browser keeps the secret that it signs in with. */
const signInKept = 600

/** The cookies of a request, and where it came from. */
interface CookieRequest {
  headers: Readonly<Record<string, string | undefined>>
  address?: string | undefined
}

/** Reads the visitor of a request from its cookies and headers. */
export function visitorFrom({ headers, address }: CookieRequest, at: RequestAddress): Visitor {
  const jwtToken = cookieOf({ headers }, sessionCookie(at))
  return {
    ...visitorOf(parseCookie(headers.cookie ?? '')),
    // Who signed in by the provider of the site is known by that.
    ...(jwtToken !== undefined && { jwtToken }),
    address,
    userAgent: headers['user-agent'],
  }
}

/** The token of the session that the provider of a site began. */
export function sessionOf(request: CookieRequest, at: RequestAddress): string | undefined {
  return cookieOf(request, sessionCookie(at))
}

/** The secret of a browser with which it signs in, in the form that it must have. */
export function browserOf(request: CookieRequest, at: RequestAddress): string | undefined {
  const browser = cookieOf(request, browserCookie(at))
  return browser !== undefined && /^[\w-]{43}$/.test(browser) ? browser : undefined
}

/** The longest token of a session is a part of this. */
const maxValue = 200

function cookieOf({ headers }: CookieRequest, name: string): string | undefined {
  const value = parseCookie(headers.cookie ?? '')[name]
  return value === undefined || value === '' || value.length > maxValue ? undefined : value
}

/** A site at a host of its own has cookies that no other host can set (`__Host-`, RFC 6265bis); below a host of the reader, a path tells them apart. */
function ownName(name: string, { mountPath }: RequestAddress): string {
  return mountPath === '' ? `__Host-${name}` : name
}

function sessionCookie(at: RequestAddress): string {
  return ownName('recto-session', at)
}

function browserCookie(at: RequestAddress): string {
  return ownName('recto-sign-in', at)
}

/** Cookies that end what a visitor is known by through a login. */
export function forgottenCookies(at: RequestAddress): string[] {
  return [
    cookie(visitorCookies.token, '', { path: cookiePath(at) }),
    cookie(sessionCookie(at), '', { path: cookiePath(at) }),
  ]
}

/** Cookies of a visitor whom the provider of the site has signed in: all that they were known by before goes. */
export function sessionCookies(token: string, expiresAt: string, at: RequestAddress): string[] {
  const seconds = Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000))
  return [
    cookie(visitorCookies.token, '', { path: cookiePath(at) }),
    cookie(sessionCookie(at), token, { path: cookiePath(at), seconds: Math.min(seconds, visitorKept) }),
  ]
}

/** The cookie with the secret of a browser that begins to sign in. */
export function browserCookies(browser: string, at: RequestAddress): string[] {
  return [cookie(browserCookie(at), browser, { path: cookiePath(at), seconds: signInKept })]
}

/** The cookies of a visitor who comes with a token, or with claims. */
export function acceptedCookies(
  { token, claims }: { token: string | undefined; claims: string | undefined },
  at: RequestAddress,
): string[] {
  const place = { path: cookiePath(at) }
  const name = at.isPreview ? visitorCookies.preview : visitorCookies.token
  const session = token === undefined || at.isPreview ? [] : [cookie(sessionCookie(at), '', place)]
  return [
    ...(token === undefined ? [] : [cookie(name, token, place), ...session]),
    ...(claims === undefined ? [] : [cookie(visitorCookies.claims, claims, place)]),
  ]
}

/** Cookies of a site are sent to that site only; below a host of the reader, to its part of the path. */
function cookiePath({ mountPath, path, isPreview }: RequestAddress): string {
  return isPreview ? `${mountPath}/${path.split('/')[1] ?? ''}` : `${mountPath}/`
}

/** A cookie that no script reads, and that other sites do not send along (RFC 6265bis). */
function cookie(
  name: string,
  value: string,
  { path, seconds = visitorKept }: { path: string; seconds?: number },
): string {
  const maxAge = value === '' ? 0 : seconds
  return stringifySetCookie({ name, value, path, maxAge, httpOnly: true, secure: true, sameSite: 'lax' })
}
