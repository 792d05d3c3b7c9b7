/** The paths below a site at which visitors sign in and out, as the compatible reader has them. */
const signIn = '~gitbook/auth/login'
const signOut = '~gitbook/auth/logout'

/** The request that such a path stands for. */
export interface Signing {
  action: 'in' | 'out'
  /** The path of the site, as the request has it. */
  root: string
}

/** Whether a path asks to sign in or out; undefined for all others. */
export function signingAt(pathname: string): Signing | undefined {
  for (const [action, path] of [['in', signIn] as const, ['out', signOut] as const])
    if (pathname.endsWith(`/${path}`)) return { action, root: pathname.slice(0, -path.length) }
  return undefined
}

/** The visitor who asks, and the URLs of the site. */
interface SigningVisitor {
  isSignedIn: boolean
  urls: { login?: string | undefined; logout?: string | undefined }
}

/**
 * Where signing in or out leads: out, to where the site says, and in, to where visitors log in, who come back to its beginning. Who is
 * signed in already reads the site, since they may have come from there.
 */
export function signingTarget(
  { action, root }: Signing,
  { isSignedIn, urls: { login, logout } }: SigningVisitor,
): string {
  if (action === 'out') return logout ?? root
  return isSignedIn || login === undefined ? root : atBeginning(login)
}

/** The address of a login, from which the visitor comes back to the beginning of the site. */
export function atBeginning(login: string): string {
  const url = new URL(login)
  url.searchParams.set('location', '/')
  return url.href
}
