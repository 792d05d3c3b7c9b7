import type { visitorSignInPaths } from '@recto/contracts-publishing'
import { isPrefetch } from '../ask/ask.rules.ts'

/** The act that is asked for at an address at which visitors sign in or out. */
export type SigningAction = keyof typeof visitorSignInPaths

/**
 * The answer to a browser at such an address.
 * - `act`: it does what it is for.
 * - `ask`: a page asks the visitor first.
 * - `refuse`: nobody has opened it, so that nothing happens.
 */
export type SigningGuard = 'act' | 'ask' | 'refuse'

/**
 * Whether a browser may do what an address is for. Browsers say how they came to it (Fetch Metadata); others, and those without https, say
 * nothing, and are let through.
 *
 * | changes something | opened as a document | from another site | answer |
 * | ----------------- | -------------------- | ----------------- | ------ |
 * | no                | any                  | any               | act    |
 * | yes               | no                   | any               | refuse |
 * | signing out       | yes                  | yes               | ask    |
 * | all others        | yes                  | any               | act    |
 */
export function guardSigning(
  action: SigningAction,
  headers: Readonly<Record<string, string | undefined>>,
): SigningGuard {
  if (action === 'signedOut') return 'act'
  const isDocument = ['document', undefined].includes(headers['sec-fetch-dest'])
  if (!isDocument || isPrefetch(headers)) return 'refuse'
  return action === 'signOut' && headers['sec-fetch-site'] === 'cross-site' ? 'ask' : 'act'
}
