/**
 * Why a sign-in or a logout by a provider failed; the list is closed.
 * - Of the provider itself: `discovery` (its metadata), `keys`, `token_endpoint` (no reply, or none that the protocol has), `user_info`.
 * - In its words: `provider_error` (what the browser brought), `token_request` (what the token endpoint answers).
 * - In what came in its name, with what a browser brought: `response_issuer` (RFC 9207), `token_response`, `access_token` (`at_hash`).
 * - Of a token that it signed: all others; `events` and `subject` are those of a logout token alone.
 */
export type OpenIdReason =
  | 'discovery'
  | 'keys'
  | 'key_unknown'
  | 'algorithm'
  | 'signature'
  | 'structure'
  | 'issuer'
  | 'audience'
  | 'nonce'
  | 'expired'
  | 'not_yet_valid'
  | 'time_missing'
  | 'access_token'
  | 'response_issuer'
  | 'provider_error'
  | 'token_request'
  | 'token_endpoint'
  | 'token_response'
  | 'user_info'
  | 'events'
  | 'subject'

interface FailureOptions {
  cause?: unknown
  isUnreachable?: boolean
}

/** A sign-in or logout that a provider, or what came in its name, has failed. Its message may quote the provider, and has no tokens, codes or secrets: it may be logged. */
export class OpenIdFailure extends Error {
  readonly reason: OpenIdReason
  /** Whether the provider did not answer, or is at an address that is not allowed. */
  readonly isUnreachable: boolean

  constructor(reason: OpenIdReason, message = '', { isUnreachable = false, ...options }: FailureOptions = {}) {
    super(message, options)
    this.name = 'OpenIdFailure'
    this.reason = reason
    this.isUnreachable = isUnreachable
  }
}
