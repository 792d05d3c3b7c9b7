import { Failure, failureStatus, isFailureCode, type FaultDetail } from '@recto/operation'
import { headers, type MsgHdrs } from '@nats-io/transport-node'

/** Header names on the bus. Errors use those of NATS ADR-32, so that its tools show them. */
export const header = {
  actor: 'Recto-Actor',
  input: 'Recto-Input',
  requestId: 'Recto-Request-Id',
  deadline: 'Recto-Deadline',
  traceparent: 'traceparent',
  status: 'Recto-Status',
  location: 'Recto-Location',
  size: 'Recto-Size',
  chunk: 'Recto-Chunk',
  failure: 'Recto-Failure',
  retryAfter: 'Recto-Retry-After',
  errorCode: 'Nats-Service-Error-Code',
  error: 'Nats-Service-Error',
} as const

const unprintable = /[^\x20-\x7e]/g

/** Makes NATS headers from those that are present. */
export function natsHeaders(values: Record<string, string | undefined>): MsgHdrs {
  const made = headers()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) made.set(name, value)
  return made
}

/** JSON without characters that a NATS header could not carry. */
export function headerJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(unprintable, character => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Headers of a reply that tells of a failure. */
export function failureHeaders(failure: Failure): MsgHdrs {
  return natsHeaders({
    [header.status]: String(failure.status),
    [header.failure]: failure.code,
    [header.errorCode]: String(failure.status),
    [header.error]: failure.message.replaceAll(unprintable, '?'),
    [header.retryAfter]: failure.retryAfter?.toString(),
  })
}

/** The failure that a reply tells of, or undefined. */
export function failureOf(replyHeaders: MsgHdrs | undefined, body: Uint8Array): Failure | undefined {
  const code = replyHeaders?.get(header.failure)
  if (!code) return undefined
  const { message, details } = parseErrorBody(body)
  const retryAfter = Number(replyHeaders?.get(header.retryAfter)) || undefined
  return new Failure(isFailureCode(code) ? code : 'internal', message, {
    ...(details && { details }),
    ...(retryAfter && { retryAfter }),
  })
}

/** Seconds to wait that a `Failure` of unavailability suggests. */
export const unavailableRetryAfter = 1

/** What callers see when nobody answers a subject. */
export function unavailable(service: string): Failure {
  return new Failure('unavailable', `The ${service} service is not available`, { retryAfter: unavailableRetryAfter })
}

function parseErrorBody(body: Uint8Array): { message: string; details?: FaultDetail[] } {
  try {
    const parsed = JSON.parse(new TextDecoder().decode(body)) as { error: { message: string; details?: FaultDetail[] } }
    return parsed.error
  } catch {
    return { message: `Error ${failureStatus.internal}` }
  }
}
