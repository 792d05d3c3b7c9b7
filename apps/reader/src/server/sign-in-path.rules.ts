import { visitorSignInPaths } from '@recto/contracts-publishing'
import type { RequestAddress } from '../addresses/request-address.rules.ts'

/** A request to sign in or out by the provider of a site. */
export interface SignInPath {
  action: keyof typeof visitorSignInPaths
  /** The path of the site, as the request has it, without a slash at its end. */
  root: string
}

const actions = Object.entries(visitorSignInPaths) as [SignInPath['action'], string][]

/** The request that a path stands for, of those by which visitors sign in and out; undefined for all other paths. */
export function signInPathAt(pathname: string): SignInPath | undefined {
  for (const [action, path] of actions)
    if (pathname.endsWith(`/${path}`)) return { action, root: pathname.slice(0, -path.length - 1) }
  return undefined
}

/** The path of a site at this reader, without a slash at its end, where a login is the site's own sign-in; undefined for a login elsewhere. */
export function ownSignIn(login: string, { site, mountPath }: RequestAddress): string | undefined {
  const { origin, pathname } = new URL(login)
  const signIn = origin === new URL(site).origin ? signInPathAt(pathname) : undefined
  return signIn?.action === 'signIn' ? `${mountPath}${signIn.root}` : undefined
}

/** Where visitors go who sign in, who sign out, and who come back to what they asked for, on a site that signs them in by its provider. */
export function signInTargets(root: string, url: string): { in: string; out: string; back: string } {
  const location = url.startsWith(`${root}/`) ? url.slice(root.length) : '/'
  return {
    in: signInFrom(root, '/'),
    out: `${root}/${visitorSignInPaths.signOut}`,
    back: signInFrom(root, location),
  }
}

/** The sign-in path of a site, from which the visitor comes back to a path below it. */
export function signInFrom(root: string, location: string): string {
  return `${root}/${visitorSignInPaths.signIn}?${new URLSearchParams({ location }).toString()}`
}

/** The path below a site that a query names to come back to; its beginning where that is no such path. */
export function locationIn(query: string): string {
  const location = new URLSearchParams(query).get('location') ?? '/'
  return /^\/(?![/\\])/.test(location) && !/[\\\p{Cc}]/u.test(location) ? location : '/'
}
