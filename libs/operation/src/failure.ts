/** Every way a request can fail, with the HTTP status it becomes. The list is closed: a new code is an API decision. */
export const failureStatus = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  timeout: 504,
} as const

/** A code of the closed list of failures. */
export type FailureCode = keyof typeof failureStatus

/** One fault of an input: where it is (JSON path, `body.title`) and what is wrong with it. */
export interface FaultDetail {
  path: string
  message: string
}

interface FailureOptions {
  cause?: unknown
  details?: FaultDetail[]
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfter?: number
  /** The current entity tag, with its quotes, of what a precondition refers to; becomes `ETag`. */
  etag?: string
  /** The word that the protocol of the row has for the failure, such as `uniqueness`. */
  protocolCode?: string
}

/** The only error that rules and handlers throw on purpose; its message is shown to the caller. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly details: FaultDetail[] | undefined
  readonly retryAfter: number | undefined
  readonly etag: string | undefined
  readonly protocolCode: string | undefined

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfter = options.retryAfter
    this.etag = options.etag
    this.protocolCode = options.protocolCode
  }

  get status(): number {
    return failureStatus[this.code]
  }
}

/** Converts anything thrown into a `Failure`; any other error becomes `internal`, with its message hidden and the error as cause. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure('internal', 'Something went wrong on our side', { cause: error })
}

/** Tells whether a string is one of the closed list of codes. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(failureStatus, code)
}

/** The body of every error reply: `code` is the HTTP status. */
export interface ErrorBody {
  error: { code: number; message: string; details?: FaultDetail[] }
}

/** Shapes a failure as the wire's error body. */
export function errorBody(failure: Failure): ErrorBody {
  const { status: code, message, details } = failure
  return { error: { code, message, ...(details && { details }) } }
}
