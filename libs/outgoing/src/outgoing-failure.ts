import { Failure, type FailureCode } from '@recto/operation'

const codes = {
  bad_url: 'invalid_request',
  refused_address: 'invalid_request',
  unresolvable: 'invalid_request',
  redirects: 'invalid_request',
  encoding: 'invalid_request',
  too_large: 'too_large',
  timeout: 'timeout',
  unreachable: 'unavailable',
  tls: 'unavailable',
} as const satisfies Record<string, FailureCode>

/** Why a request to a foreign server ended without a reply; the list is closed. */
export type OutgoingReason = keyof typeof codes

/** A request to a foreign server that was refused or failed. Its message names the host at most: no path, no query, no credentials. */
export class OutgoingFailure extends Failure {
  readonly reason: OutgoingReason

  constructor(reason: OutgoingReason, message: string, options: { cause?: unknown } = {}) {
    super(codes[reason], message, options)
    this.reason = reason
  }
}
