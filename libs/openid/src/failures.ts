import { OutgoingFailure } from '@recto/outgoing'
import { errors } from 'jose'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { OpenIdFailure, type OpenIdReason } from './openid-failure.ts'

/** Codes of the libraries for what a browser or the provider brought in words that are not valid. */
const invalidCodes = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_KEY_SELECTION_FAILED',
])

/** The failure that an error of the libraries, or of an outgoing request, stands for; any other error is thrown again. */
export function toOpenIdFailure(error: unknown): OpenIdFailure {
  if (error instanceof OpenIdFailure) return error
  const outgoing = outgoingIn(error)
  if (outgoing) return new OpenIdFailure('unreachable', `${outgoing.reason}: ${outgoing.message}`)
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return new OpenIdFailure('refused', `The provider answers ${shortened(error.error)}`)
  if (error instanceof WWWAuthenticateChallengeError)
    return new OpenIdFailure('refused', 'The provider refuses the credentials of the client')
  if (error instanceof ClientError) return new OpenIdFailure(reasonOf(error), `${error.code}: ${error.message}`)
  if (error instanceof errors.JOSEError) return new OpenIdFailure('invalid', `${error.code}: ${error.message}`)
  throw error
}

function reasonOf({ code = '' }: ClientError): OpenIdReason {
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return 'unreachable'
  return invalidCodes.has(code) ? 'invalid' : 'provider'
}

/** The failure of an outgoing request that an error was caused by. */
function outgoingIn(error: unknown): OutgoingFailure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at instanceof OutgoingFailure) return at
  return undefined
}

/** The name of an error by a provider, which may be anything, in the characters that it may have (RFC 6749, 5.2). */
function shortened(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 100)
}
