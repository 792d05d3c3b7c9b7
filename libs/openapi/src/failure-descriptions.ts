import type { FailureCode } from '@recto/operation'

/** When a request fails with a code. */
export const failureDescriptions: Readonly<Record<FailureCode, string>> = {
  invalid_request: 'The request has a fault; `details` names the fields',
  unauthenticated: 'There is no token, or it is not valid any more',
  forbidden: 'The token lacks the scope, or the caller the right',
  not_found: 'Something that the request names is not there, or not for the caller to see',
  method_not_allowed: 'The path has no such method',
  conflict: 'The request does not go together with what is there now',
  gone: 'What the request continues is not kept any more',
  precondition_failed: 'What the request depends on has changed, or does not hold',
  too_large: 'Something is larger than allowed',
  unsupported_media_type: 'The body is not of the media type that is expected',
  rate_limited: 'There were too many requests; `Retry-After` says when to go on',
  internal: 'Something went wrong in the installation',
  unavailable: 'A part of the installation does not answer; the request can be repeated later',
  timeout: 'The request took too long',
}
