import { visitorSignInPaths } from '@recto/contracts-publishing'

/** Characters of a path to come back to: it goes to the provider and back. */
const maxLength = 600
const ownPaths = new Set<string>(Object.values(visitorSignInPaths))

/**
 * The path below a site to come back to after a sign-in, with its query: that which was asked for, or the beginning of the site where it is
 * long, or one at which visitors sign in or out. It has one slash at its beginning, so that no browser takes it for another host.
 */
export function returnLocation(parts: readonly string[], search: string): string {
  if (ownPaths.has(parts.join('/'))) return '/'
  const location = `/${parts.map(encodeURIComponent).join('/')}${search}`
  return location.length > maxLength ? '/' : location
}
