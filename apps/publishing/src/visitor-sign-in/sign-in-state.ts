import { sealerFor } from '@recto/database'
import type { Secrets } from '@recto/operation'
import { createHash, randomBytes } from 'node:crypto'

/** A sign-in that has begun. It is encrypted in the `state`, which the browser takes to the provider and back: nothing of it is stored. */
export interface SignInState {
  /** Version of the provider's settings. */
  version: string
  /** Hash of the browser's secret. */
  browser: string
  nonce: string
  verifier: string
  /** Where the site is in the browser. */
  root: string
  /** The path below it to come back to. */
  location: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** Milliseconds in which a sign-in has to be completed. */
export const signInLimit = 10 * 60_000

const sealer = sealerFor('recto sign-ins of visitors')

/** Begins a sign-in of a browser. */
export function newSignIn(
  begun: Pick<SignInState, 'version' | 'root' | 'location'> & { browser: string },
): SignInState {
  return {
    ...begun,
    browser: hashOfBrowser(begun.browser),
    nonce: randomBytes(32).toString('base64url'),
    verifier: randomBytes(32).toString('base64url'),
    expiresAt: Date.now() + signInLimit,
  }
}

/** The `state` of a sign-in on a site. */
export function sealState(signIn: SignInState, siteId: string, secrets: Secrets): string {
  return sealer.seal(JSON.stringify(signIn), siteId, secrets).toString('base64url')
}

/** The sign-in on a site that a `state` is of; undefined for one that was made up, belongs to another site or browser, or is over. */
export function openState(
  state: string,
  { siteId, browser, secrets }: { siteId: string; browser: string; secrets: Secrets },
): SignInState | undefined {
  const signIn = parseState(state, siteId, secrets)
  const isOwn = signIn?.browser === hashOfBrowser(browser) && signIn.expiresAt > Date.now()
  return isOwn ? signIn : undefined
}

function parseState(state: string, siteId: string, secrets: Secrets): SignInState | undefined {
  try {
    return JSON.parse(sealer.unseal(Buffer.from(state, 'base64url'), siteId, secrets)) as SignInState
  } catch {
    return undefined
  }
}

/** Hash of a `state`, under which it is stored once it was used. */
export function hashOfState(state: string): string {
  return createHash('sha256').update(Buffer.from(state, 'base64url')).digest('base64url')
}

function hashOfBrowser(browser: string): string {
  return createHash('sha256').update(browser).digest('base64url')
}
