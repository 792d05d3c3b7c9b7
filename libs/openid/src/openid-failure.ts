/**
 * Why a sign-in or a logout by a provider failed; the list is closed.
 * - `unreachable`: the provider does not answer, or is at an address that is not allowed.
 * - `provider`: what it answers is not what the protocol says, or what this client supports.
 * - `refused`: it says that the user, or the client, is refused.
 * - `invalid`: what a browser or a logout brought is not valid: state, nonce, issuer, audience, signature, time.
 */
export type OpenIdReason = 'unreachable' | 'provider' | 'refused' | 'invalid'

/** A sign-in or logout that a provider, or what came in its name, has failed. Its message has no tokens, codes or secrets: it may be logged. */
export class OpenIdFailure extends Error {
  readonly reason: OpenIdReason

  constructor(reason: OpenIdReason, message: string) {
    super(message)
    this.reason = reason
  }
}
