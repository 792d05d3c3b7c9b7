import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { SignInChecks } from '@recto/openid'
import { parseCookie, stringifySetCookie } from 'cookie'

/** Seconds for which a browser has the cookie of a sign-in: as long as that may take. */
const maxAge = 600

/** A sign-in, and the secret that the browser keeps which began it. */
export interface BrowserSecret {
  state: string
  secret: string
}

/** Makes the state of a sign-in, and its secret. The state says what the sign-in was begun for, if anything. */
export function newBrowserSecret(origin?: string): BrowserSecret {
  const random = () => randomBytes(32).toString('base64url')
  return { state: origin === undefined ? random() : `${random()}.${origin}`, secret: random() }
}

/** The interaction that a sign-in was begun for, as its state says. */
export function originOf(state: string | undefined): string | undefined {
  return state?.split('.')[1]
}

/** The checks that bind the answer of the provider to a browser: nonce and code verifier are derived from its secret, which is stored nowhere else. */
export function checksOf({ state, secret }: BrowserSecret): SignInChecks {
  const derive = (purpose: string) => createHmac('sha256', secret).update(`${purpose} ${state}`).digest('base64url')
  return { state, nonce: derive('nonce'), verifier: derive('pkce') }
}

/** The hash under which the secret of a browser is stored. */
export function hashOf({ secret }: BrowserSecret): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The `Set-Cookie` that gives a browser its secret; over http, which is for development, it cannot be one of this host alone. */
export function cookieOf({ state, secret }: BrowserSecret, publicUrl: string): string {
  return setCookie({ state, value: secret, publicUrl, maxAge })
}

/** The `Set-Cookie` that takes the secret from the browser. */
export function expiredCookieOf(state: string, publicUrl: string): string {
  return setCookie({ state, value: '', publicUrl, maxAge: 0 })
}

/** The secret of the browser for a sign-in, from the `Cookie` header; undefined when it has not begun it. */
export function secretIn(
  header: string | undefined,
  { state, publicUrl }: { state: string; publicUrl: string },
): BrowserSecret | undefined {
  const secret = parseCookie(header ?? '')[nameOf(state, publicUrl)]
  return secret ? { state, secret } : undefined
}

interface CookieParts {
  state: string
  value: string
  publicUrl: string
  maxAge: number
}

function setCookie({ state, value, publicUrl, maxAge: age }: CookieParts): string {
  return stringifySetCookie(nameOf(state, publicUrl), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(publicUrl),
    maxAge: age,
  })
}

/** Each sign-in has a cookie of its own, so that those of two tabs do not disturb each other. */
function nameOf(state: string, publicUrl: string): string {
  const suffix = createHash('sha256').update(state).digest('hex').slice(0, 16)
  return `${isSecure(publicUrl) ? '__Host-' : ''}recto-sign-in-${suffix}`
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
