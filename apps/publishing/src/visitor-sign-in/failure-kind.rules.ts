import type { OpenIdFailure, OpenIdReason } from '@recto/openid'

/**
 * Who has failed a sign-in or a logout, as far as a visitor is told.
 * - `unreachable`: the provider does not answer, or is at an address that is not allowed.
 * - `provider`: its answers are not those of the protocol.
 * - `refused`: it says that the user, or the client, is refused.
 * - `invalid`: a browser or a logout brought what is not valid.
 */
export type FailureKind = 'unreachable' | 'provider' | 'refused' | 'invalid'

const kinds: Partial<Record<OpenIdReason, FailureKind>> = {
  discovery: 'provider',
  keys: 'provider',
  token_endpoint: 'provider',
  user_info: 'provider',
  provider_error: 'refused',
  token_request: 'refused',
}

/** The kind of a failure: `invalid` unless it is the provider's. */
export function failureKind({ reason, isUnreachable }: Pick<OpenIdFailure, 'reason' | 'isUnreachable'>): FailureKind {
  return isUnreachable ? 'unreachable' : (kinds[reason] ?? 'invalid')
}
