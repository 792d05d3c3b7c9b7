import { InvalidArgumentError, NoRespondersError, TimeoutError, type Msg } from '@nats-io/transport-node'
import { currentOrigin, Failure } from '@recto/operation'
import { currentContext, injectTrace, withSpan } from '@recto/telemetry'
import { isChunked, readChunks } from './chunks.ts'
import type { Bus } from './connection.ts'
import { isEventReply, readEvents } from './events.ts'
import { messagingAttributes } from './messaging.ts'
import { failureOf, header, headerJson, natsHeaders, unavailable, defaultStatus } from './wire.ts'

/** A request to another service. */
export interface BusRequest {
  /** `api.<service>.<operationId>` or `rpc.<service>.<operationId>`. */
  subject: string
  /** The actor, serialised as JSON. */
  actor?: string | undefined
  /** Path parameters and query, serialised as JSON. */
  params?: string | undefined
  body?: Uint8Array | undefined
  /** The `Origin` of what the request changes, serialised as JSON; that of the work it is sent from unless given. */
  origin?: string | undefined
  /** The headers of the HTTP request that the service evaluates. */
  conditions?: RequestConditions | undefined
  /** Milliseconds until the request fails as `timeout`. */
  timeout: number
  /** Retry once when the subject has no responder; for reads only. */
  retry?: boolean
}

/** Request headers that a service evaluates, as the client sent them. */
export interface RequestConditions {
  ifMatch?: string | undefined
  ifNoneMatch?: string | undefined
  idempotencyKey?: string | undefined
}

/** A reply of any size; `body` is a stream when it came in chunks. */
export interface BusReply {
  status: number
  location?: string
  /** The cookie that the service has set, as the value of a `Set-Cookie` header. */
  cookie?: string
  /** The entity tag that the service has set, with its quotes. */
  etag?: string
  body: Uint8Array | AsyncIterable<Uint8Array>
  size: number
  /** The events of a reply that is a stream: each is requested when it is read, an empty one says that there is none yet, and `return` ends the stream at once. */
  events?: AsyncIterableIterator<Uint8Array>
}

const retryDelay = 100

/** Sends one request and resolves with the reply; throws the `Failure` of an error reply, `unavailable` or `timeout`. */
export function requestReply(bus: Bus, request: BusRequest): Promise<BusReply> {
  const { subject, body } = request
  const attributes = () => messagingAttributes({ operation: 'request', subject, size: body?.byteLength, bus })
  const operationId = subject.slice(subject.lastIndexOf('.') + 1)
  return withSpan(operationId, { kind: 'client', attributes }, () => exchange(bus, request))
}

async function exchange(bus: Bus, request: BusRequest): Promise<BusReply> {
  const message = await send(bus, request)
  const location = message.headers?.get(header.location)
  const cookie = message.headers?.get(header.cookie)
  const etag = message.headers?.get(header.etag)
  const reply: BusReply = {
    status: Number(message.headers?.get(header.status) || defaultStatus),
    ...(location && { location }),
    ...(cookie && { cookie }),
    ...(etag && { etag }),
    ...(isEventReply(message) && { events: readEvents(bus, message) }),
    ...(isChunked(message)
      ? { body: readChunks(bus, message), size: Number(message.headers?.get(header.contentLength)) }
      : { body: message.data, size: message.data.byteLength }),
  }
  if (message.headers?.get(header.code)) throw failureOf(message.headers, await wholeBody(reply))
  return reply
}

/** Reads the whole body of a reply. */
export async function wholeBody(reply: BusReply): Promise<Uint8Array> {
  if (reply.body instanceof Uint8Array) return reply.body
  const chunks: Uint8Array[] = []
  for await (const chunk of reply.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Releases a reply whose body is not read, so that its sender frees the chunks. */
export async function discard({ body }: BusReply): Promise<void> {
  if (!(body instanceof Uint8Array)) for await (const _first of body) return
}

async function send(bus: Bus, request: BusRequest): Promise<Msg> {
  const deadline = Date.now() + request.timeout
  try {
    return await sendOnce(bus, request, deadline)
  } catch (error) {
    if (!request.retry || !(error instanceof NoRespondersError)) throw asFailure(error, request.subject)
    await new Promise(resolve => setTimeout(resolve, retryDelay))
    return await sendOnce(bus, request, deadline).catch((again: unknown) => {
      throw asFailure(again, request.subject)
    })
  }
}

function sendOnce(bus: Bus, request: BusRequest, deadline: number): Promise<Msg> {
  const headers = natsHeaders({
    [header.actor]: request.actor,
    [header.origin]: request.origin ?? originOf(),
    [header.params]: request.params,
    [header.requestId]: currentContext()?.requestId,
    [header.deadline]: String(deadline),
    ...(request.conditions && {
      [header.ifMatch]: request.conditions.ifMatch,
      [header.ifNoneMatch]: request.conditions.ifNoneMatch,
      [header.idempotencyKey]: request.conditions.idempotencyKey,
    }),
  })
  injectTrace(headers)
  const timeout = Math.max(1, deadline - Date.now())
  return bus.request(request.subject, request.body, { timeout, headers })
}

function originOf(): string | undefined {
  const origin = currentOrigin()
  return origin && headerJson(origin)
}

function asFailure(error: unknown, subject: string): unknown {
  if (error instanceof Failure) return error
  if (error instanceof NoRespondersError) return unavailable(subject.split('.')[1] ?? 'requested')
  if (error instanceof TimeoutError) return new Failure('timeout', 'The request took too long', { cause: error })
  if (error instanceof InvalidArgumentError)
    return new Failure('too_large', 'The request is larger than a message of the bus', { cause: error })
  return new Failure('unavailable', 'The bus is not available', { cause: error, retryAfter: 1 })
}
