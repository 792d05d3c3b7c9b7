/** A browser that asks to read a site as a member of its organization, as far as is known of it. */
export interface VisitState {
  isSignedIn: boolean
  /** Whether the browser comes from the sign-in page. */
  hasReturned: boolean
  /** Where its user stands in the organization, with the token that they have signed in with. */
  standing: 'none' | 'needs-single-sign-on' | 'member'
  /** Whether a role on the site lets them read it. */
  isVisible: boolean
}

/**
 * The answer to a browser.
 * - `sign-in`: it goes to the sign-in page, and comes back.
 * - `code`: it goes to the site, with a code.
 * - All others are pages, from which the user goes on themselves: nobody is sent in a circle.
 */
export type VisitAnswer = 'sign-in' | 'no-session' | 'no-member' | 'needs-single-sign-on' | 'not-visible' | 'code'

/**
 * Decides the answer to a browser:
 *
 * | signed in | returned | standing             | visible | answer               |
 * | --------- | -------- | -------------------- | ------- | -------------------- |
 * | no        | no       | any                  | any     | sign-in              |
 * | no        | yes      | any                  | any     | no-session           |
 * | yes       | any      | none                 | any     | no-member            |
 * | yes       | any      | needs-single-sign-on | any     | needs-single-sign-on |
 * | yes       | any      | member               | no      | not-visible          |
 * | yes       | any      | member               | yes     | code                 |
 */
export function decideVisit({ isSignedIn, hasReturned, standing, isVisible }: VisitState): VisitAnswer {
  if (!isSignedIn) return hasReturned ? 'no-session' : 'sign-in'
  if (standing === 'none') return 'no-member'
  if (standing === 'needs-single-sign-on') return 'needs-single-sign-on'
  return isVisible ? 'code' : 'not-visible'
}
