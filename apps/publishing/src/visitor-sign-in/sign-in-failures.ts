import { Failure } from '@recto/operation'

/** The failure of a sign-in that is over, or is not that of this browser. */
export function signInEnded(): Failure {
  return new Failure('forbidden', 'This sign-in has ended. Sign in again')
}

/** The failure of a sign-in that the site has begun otherwise. */
export function settingsChanged(): Failure {
  return new Failure('forbidden', 'The site has changed how visitors sign in. Sign in again')
}
