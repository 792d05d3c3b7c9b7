import { includesScope } from '@recto/contracts-shared'

/** A browser that asks to read a site as a member of its organization, as far as is known of it. */
export interface VisitState {
  isSignedIn: boolean
  /** Whether the browser comes from the sign-in page. */
  hasReturned: boolean
  /** Where its user stands in the organization, with the token that they have signed in with. */
  standing: 'none' | 'needs-single-sign-on' | 'lacks-scope' | 'member'
  /** Whether a role on the site lets them read it. */
  isVisible: boolean
}

/**
 * The answer to a browser.
 * - `sign-in`: it goes to the sign-in page, and comes back.
 * - `code`: it goes to the site, with a code.
 * - All others are pages, from which the user goes on themselves: nobody is sent in a circle. A stranger and a member from whom the site is
 *   hidden get the same: they learn not even whose it is.
 */
export type VisitAnswer = 'sign-in' | 'no-session' | 'needs-single-sign-on' | 'lacks-scope' | 'not-visible' | 'code'

/** The scopes without which a token of a sign-in reads no site: it shows its settings, and the content of its spaces. */
export const visitScopes = ['site:read', 'space:read'] as const

/** Whether a token with these scopes reads sites: signing in with it opens no more than it does itself. */
export function mayReadSites(held: readonly string[]): boolean {
  return visitScopes.every(scope => includesScope(held, scope))
}

/**
 * Decides the answer to a browser:
 *
 * | signed in | returned | standing             | visible | answer               |
 * | --------- | -------- | -------------------- | ------- | -------------------- |
 * | no        | no       | any                  | any     | sign-in              |
 * | no        | yes      | any                  | any     | no-session           |
 * | yes       | any      | none                 | any     | not-visible          |
 * | yes       | any      | needs-single-sign-on | any     | needs-single-sign-on |
 * | yes       | any      | lacks-scope          | no      | not-visible          |
 * | yes       | any      | lacks-scope          | yes     | lacks-scope          |
 * | yes       | any      | member               | no      | not-visible          |
 * | yes       | any      | member               | yes     | code                 |
 */
export function decideVisit({ isSignedIn, hasReturned, standing, isVisible }: VisitState): VisitAnswer {
  if (!isSignedIn) return hasReturned ? 'no-session' : 'sign-in'
  if (standing === 'needs-single-sign-on') return standing
  if (standing === 'none' || !isVisible) return 'not-visible'
  return standing === 'member' ? 'code' : standing
}
