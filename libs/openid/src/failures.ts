import { OutgoingFailure } from '@recto/outgoing'
import { errors } from 'jose'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { OpenIdFailure, type OpenIdReason } from './openid-failure.ts'

/** Codes of the library for a reply that never came, or is none that the protocol has. */
const endpointCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
])

const idTokenReasons: Partial<Record<string, OpenIdReason>> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
  exp: 'expired',
  nbf: 'not_yet_valid',
}

const signedTokenReasons: Partial<Record<string, OpenIdReason>> = {
  iss: 'issuer',
  aud: 'audience',
  exp: 'time_missing',
  iat: 'time_missing',
  nbf: 'not_yet_valid',
}

/** The failure of a request for a document or for user info, by the reason that stands for it. */
export function failureOf(error: unknown, reason: OpenIdReason): OpenIdFailure {
  if (error instanceof OpenIdFailure) return error
  const isUnreachable = outgoingIn(error) !== undefined || isTimeout(error)
  return new OpenIdFailure(reason, messageOf(error), { cause: error, isUnreachable })
}

/** Why the library refuses what the browser brought, or the answer of the token endpoint. */
export function grantFailure(error: unknown): OpenIdFailure {
  if (error instanceof AuthorizationResponseError) return failureOf(error, 'provider_error')
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
    return failureOf(error, 'token_request')
  if (outgoingIn(error) || endpointCodes.has(codeOf(error))) return failureOf(error, 'token_endpoint')
  const details = detailsOf(error)
  const claimReason = idTokenReasons[String(details['claim'])]
  if (claimReason) return failureOf(error, claimReason)
  return failureOf(error, 'header' in details && 'expected' in details ? 'algorithm' : 'token_response')
}

/** Why the signature or the claims of a token are refused. */
export function signedTokenFailure(error: unknown): OpenIdFailure {
  if (error instanceof errors.JWTExpired) return failureOf(error, 'expired')
  if (error instanceof errors.JWTClaimValidationFailed)
    return failureOf(error, signedTokenReasons[error.claim] ?? 'structure')
  if (error instanceof errors.JOSEAlgNotAllowed) return failureOf(error, 'algorithm')
  if (error instanceof errors.JWKSNoMatchingKey) return failureOf(error, 'key_unknown')
  if (error instanceof errors.JWSSignatureVerificationFailed) return failureOf(error, 'signature')
  return failureOf(error, 'structure')
}

/** A message without what was sent or received, but for the names of errors; causes may quote a reply. */
function messageOf(error: unknown): string {
  const outgoing = outgoingIn(error)
  if (outgoing) return `${outgoing.reason}: ${outgoing.message}`
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return `The provider answers ${shortened(error.error)}`
  if (error instanceof WWWAuthenticateChallengeError) return 'The provider refuses the credentials'
  if (error instanceof ClientError || error instanceof errors.JOSEError) return `${error.code}: ${error.message}`
  return error instanceof Error ? error.name : ''
}

function isTimeout(error: unknown): boolean {
  return ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof ClientError ? (error.code ?? '') : ''
}

/** The failure of an outgoing request that an error was caused by. */
function outgoingIn(error: unknown): OutgoingFailure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at instanceof OutgoingFailure) return at
  return undefined
}

/** The details that the library puts into the causes of its errors. */
function detailsOf(error: unknown): Record<string, unknown> {
  let details: Record<string, unknown> = {}
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as { cause?: unknown }).cause)
    if (!(cause instanceof Error)) details = { ...details, ...cause }
  return details
}

/** The name of an error by a provider, which may be anything, in the characters that it may have (RFC 6749, 5.2). */
function shortened(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 100)
}
