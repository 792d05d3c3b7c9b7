import { Failure, failureStatus, isFailureCode, type FaultDetail } from '@recto/operation'
import { headers, type MsgHdrs } from '@nats-io/transport-node'

/** Header names on the bus. Errors use those of NATS ADR-32, so that its tools show them. */
export const header = {
  actor: 'Recto-Actor',
  params: 'Recto-Params',
  origin: 'Recto-Origin',
  requestId: 'Recto-Request-Id',
  deadline: 'Recto-Deadline',
  status: 'Recto-Status',
  location: 'Recto-Location',
  cookie: 'Recto-Set-Cookie',
  etag: 'Recto-ETag',
  ifMatch: 'Recto-If-Match',
  ifNoneMatch: 'Recto-If-None-Match',
  idempotencyKey: 'Recto-Idempotency-Key',
  message: 'Recto-Message-Id',
  contentLength: 'Recto-Content-Length',
  chunk: 'Recto-Chunk',
  events: 'Recto-Events',
  code: 'Recto-Error-Code',
  retryAfter: 'Recto-Retry-After',
  protocolCode: 'Recto-Protocol-Code',
  errorCode: 'Nats-Service-Error-Code',
  error: 'Nats-Service-Error',
} as const

/** The status of a reply without `Recto-Status`: most replies go without headers. */
export const defaultStatus = 200

/** Sent by the receiver of a reply in parts to end the transfer. */
export const stopRequest = 'enough'

const unprintable = /[^\x20-\x7e]/g
/** `Nats-Service-Error` is for tools; the whole message is in the body. */
const maxErrorHeaderLength = 500

/** Builds NATS headers from the values that are not undefined. */
export function natsHeaders(values: Record<string, string | undefined>): MsgHdrs {
  const made = headers()
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) made.append(name, value)
  }
  return made
}

/** Serialises to JSON with every character outside printable ASCII escaped, as NATS headers need. */
export function headerJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(unprintable, character => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Builds the headers of an error reply. */
export function failureHeaders(failure: Failure): Record<string, string | undefined> {
  return {
    [header.status]: String(failure.status),
    [header.code]: failure.code,
    [header.errorCode]: String(failure.status),
    [header.error]: failure.message.slice(0, maxErrorHeaderLength).replaceAll(unprintable, '?'),
    [header.retryAfter]: failure.retryAfter?.toString(),
    [header.etag]: failure.etag,
    [header.protocolCode]: failure.protocolCode,
  }
}

/** Reads the failure from a reply with the header `Recto-Error-Code`. */
export function failureOf(replyHeaders: MsgHdrs, body: Uint8Array): Failure {
  const code = replyHeaders.get(header.code)
  const { message, details } = parseErrorBody(body)
  const retryAfter = Number(replyHeaders.get(header.retryAfter)) || undefined
  const etag = replyHeaders.get(header.etag)
  const protocolCode = replyHeaders.get(header.protocolCode)
  return new Failure(isFailureCode(code) ? code : 'internal', message, {
    ...(details && { details }),
    ...(retryAfter && { retryAfter }),
    ...(etag && { etag }),
    ...(protocolCode && { protocolCode }),
  })
}

/** `Retry-After` of an `unavailable` failure, in seconds. */
export const unavailableRetryAfter = 1

/** The failure for a subject without responders. */
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

/** Parses a message as JSON; undefined when it is not JSON, since throwing inside a callback would end the subscription. */
export function parseJson(message: { json(): unknown }): unknown {
  try {
    return message.json()
  } catch {
    return undefined
  }
}
