import { Failure, failureStatus, isFailureCode, type FaultDetail } from '@recto/operation'
import { headers, type MsgHdrs } from '@nats-io/transport-node'

/** Header names on the bus. Errors use those of NATS ADR-32, so that its tools show them. */
export const header = {
  actor: 'Recto-Actor',
  params: 'Recto-Params',
  requestId: 'Recto-Request-Id',
  deadline: 'Recto-Deadline',
  status: 'Recto-Status',
  location: 'Recto-Location',
  message: 'Recto-Message-Id',
  contentLength: 'Recto-Content-Length',
  chunk: 'Recto-Chunk',
  code: 'Recto-Error-Code',
  retryAfter: 'Recto-Retry-After',
  errorCode: 'Nats-Service-Error-Code',
  error: 'Nats-Service-Error',
} as const

/** The status of a reply that names none: most replies are of this kind, and go without headers. */
export const defaultStatus = 200

const unprintable = /[^\x20-\x7e]/g
/** The header is for people at a terminal; the whole message is in the body. */
const maxErrorHeaderLength = 500

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

/** Headers of a reply that is a failure. */
export function failureHeaders(failure: Failure): Record<string, string | undefined> {
  return {
    [header.status]: String(failure.status),
    [header.code]: failure.code,
    [header.errorCode]: String(failure.status),
    [header.error]: failure.message.slice(0, maxErrorHeaderLength).replaceAll(unprintable, '?'),
    [header.retryAfter]: failure.retryAfter?.toString(),
  }
}

/** Reads the failure from a reply with the header `Recto-Error-Code`. */
export function failureOf(replyHeaders: MsgHdrs, body: Uint8Array): Failure {
  const code = replyHeaders.get(header.code)
  const { message, details } = parseErrorBody(body)
  const retryAfter = Number(replyHeaders.get(header.retryAfter)) || undefined
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
    const { error } = JSON.parse(new TextDecoder().decode(body)) as {
      error: { message: string; details?: FaultDetail[] }
    }
    return { message: error.message, ...(error.details && { details: error.details }) }
  } catch {
    return { message: `Error ${failureStatus.internal}` }
  }
}

/** The JSON of a message, undefined when it is none: a reader must not fail where the bus would take it as its own failure. */
export function parseJson(message: { json(): unknown }): unknown {
  try {
    return message.json()
  } catch {
    return undefined
  }
}
