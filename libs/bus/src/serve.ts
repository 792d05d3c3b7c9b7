import { setTimeout as sleep } from 'node:timers/promises'
import type { Msg, Subscription } from '@nats-io/transport-node'
import { errorBody, Failure, toFailure, type Answers, type Caller, type Operation } from '@recto/operation'
import { runInContext, withSpan, type Metrics } from '@recto/telemetry'
import { respondInChunks, type WireReply } from './chunks.ts'
import type { Bus } from './connection.ts'
import { messagingAttributes } from './messaging.ts'
import { parseInput, shapeReply } from './parse.ts'
import { failureHeaders, header, defaultStatus } from './wire.ts'

/** The request's metadata, passed to a handler's context. */
export interface RequestMeta<Actor extends Caller = Caller> {
  /** Who makes the request; undefined on public rows and on calls between services. */
  actor: Actor | undefined
  requestId: string
  /** Milliseconds since the epoch after which the caller no longer waits. */
  deadline: number
  /** Serialises the operation and its parameters without `page` and `limit`: the key that ties a cursor to its list. */
  requestFingerprint(): string
  /** Sets the `Location` header of the reply; it wins over the reply's `urls.location`. */
  setLocation(url: string): void
  /** Delays the reply of a handler that succeeds until this work is done; a rejection fails the request. */
  beforeReply(work: Promise<unknown>): void
}

interface Log {
  error(details: object, message: string): void
  warn(details: object, message: string): void
}

/** A table of operations with handlers, and how to serve it. */
export interface Serving<Context, Actor extends Caller = Caller> extends Answers<Context> {
  prefix: 'api' | 'rpc'
  context(meta: RequestMeta<Actor>): Context
  log: Log
  metrics?: Metrics
  /** Concurrent requests; further ones fail as `unavailable`. 1,000 unless given. */
  concurrency?: number
  /** Replace a failure that the row does not declare by `internal`; for tests. */
  strict?: boolean
}

interface Server<Context> extends Serving<Context, never> {
  bus: Bus
  inFlight: Set<Promise<void>>
  /** Chunked replies in transfer. */
  sending: Set<Promise<void>>
}

const implied = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'too_large',
  'rate_limited',
  'internal',
  'unavailable',
  'timeout',
]
/** Milliseconds that `stop` waits for chunked replies in transfer: their receiver may be gone. */
const chunkDrainTimeout = 10_000
const encoder = new TextEncoder()

/**
 * Serves every row of a table on `<prefix>.<service>.<operationId>` in the service's queue group, until stopped. Rows with a
 * route that are not `public` fail as `unauthenticated` without an actor. `stop` drains the subscriptions and waits for
 * requests in flight.
 */
export function serve<Context, Actor extends Caller = Caller>(
  bus: Bus,
  serving: Serving<Context, Actor>,
): { stop(): Promise<void> } {
  const server = { ...serving, bus, inFlight: new Set<Promise<void>>(), sending: new Set<Promise<void>>() }
  const subscriptions = Object.entries(serving.operations).map(([id, row]) => subscribe(server, id, row))
  return {
    stop: async () => {
      // Draining fails when the server is unreachable, which delivers nothing more either.
      await Promise.all(subscriptions.map(subscription => subscription.drain().catch(() => undefined)))
      while (server.inFlight.size > 0) await Promise.all(server.inFlight)
      await Promise.race([Promise.all(server.sending), sleep(chunkDrainTimeout, undefined, { ref: false })])
    },
  }
}

function subscribe<Context>(server: Server<Context>, id: string, row: Operation): Subscription {
  const subject = `${server.prefix}.${server.bus.service}.${id}`
  return server.bus.connection.subscribe(subject, {
    queue: server.bus.service,
    // Not awaited: awaiting here would block every message behind this one.
    callback: (error, message) => {
      if (error) return server.log.error({ err: error, subject }, 'subscription failed')
      const work = handleRequest(server, { id, row }, message)
        .catch((failed: unknown) => server.log.warn({ err: failed, subject }, 'reply could not be sent'))
        .finally(() => server.inFlight.delete(work))
      server.inFlight.add(work)
    },
  })
}

async function handleRequest<Context>(
  server: Server<Context>,
  target: { id: string; row: Operation },
  message: Msg,
): Promise<void> {
  const deadline = Number(message.headers?.get(header.deadline)) || Date.now() + 15_000
  const requestId = message.headers?.get(header.requestId) || crypto.randomUUID()
  if (deadline <= Date.now()) return
  const started = performance.now()
  const attributes = () =>
    messagingAttributes({
      operation: 'process',
      subject: message.subject,
      group: server.bus.service,
      size: message.data.byteLength,
    })
  const work = async (): Promise<string | undefined> => {
    try {
      await withSpan(target.id, { kind: 'server', attributes }, () =>
        runHandler(server, target, { message, deadline, requestId }),
      )
      return undefined
    } catch (error) {
      return respondFailure(server, { message, id: target.id }, checkDeclared(server, target, error))
    }
  }
  const code = await runInContext({ requestId, operationId: target.id }, work, message.headers)
  server.metrics?.operations.observe({ operation: target.id, seconds: (performance.now() - started) / 1000, code })
}

async function runHandler<Context>(
  server: Server<Context>,
  { id, row }: { id: string; row: Operation },
  request: { message: Msg; deadline: number; requestId: string },
): Promise<void> {
  if (server.inFlight.size >= (server.concurrency ?? 1000))
    throw new Failure('unavailable', 'Too many concurrent requests', { retryAfter: 1 })
  const { message, deadline, requestId } = request
  const input = parseInput(row, message.headers?.get(header.params) ?? '', message.data)
  const actorJson = message.headers?.get(header.actor)
  const actor = actorJson ? (JSON.parse(actorJson) as Caller) : undefined
  if (!actor && row.route && !row.public) throw new Failure('unauthenticated', 'An access token is needed')
  const handler = server.handlers[id]
  if (!handler) throw new Failure('internal', `No handler for ${id}`)
  const set: { location?: string } = {}
  const pending: Promise<unknown>[] = []
  const meta: RequestMeta = {
    ...{ actor, requestId, deadline },
    requestFingerprint: () => fingerprintOf(id, input),
    setLocation: url => void (set.location = url),
    beforeReply: work => void pending.push(work),
  }
  const reply = shapeReply(row, await handler(input as never, server.context(meta as RequestMeta<never>)))
  if (pending.length > 0) await Promise.all(pending)
  const location = set.location ?? (row.status === 201 ? locationOf(reply) : undefined)
  const status = row.status === defaultStatus ? undefined : row.status?.toString()
  const headers = { [header.status]: status, [header.location]: location }
  respond(server, message, { headers, body: encodeReply(row, reply) })
}

function fingerprintOf(id: string, { params, query }: { params: unknown; query: unknown }): string {
  const { page: _page, limit: _limit, ...filters } = (query ?? {}) as Record<string, unknown>
  return JSON.stringify([id, params, filters])
}

function encodeReply(row: Operation, reply: unknown): Uint8Array {
  if (reply === undefined) return new Uint8Array()
  return encoder.encode(row.produces ? String(reply) : JSON.stringify(reply))
}

function respond<Context>(server: Server<Context>, message: Msg, reply: WireReply): void {
  const sent = respondInChunks(server.bus, message, reply).finally(() => server.sending.delete(sent))
  server.sending.add(sent)
}

function respondFailure<Context>(
  server: Server<Context>,
  { message, id }: { message: Msg; id: string },
  failure: Failure,
): string {
  if (failure.status >= 500 && failure.code !== 'unavailable') {
    server.log.error({ err: failure.cause ?? failure, operation: id }, 'operation failed')
  } else if (failure.code === 'unavailable' && failure.cause !== undefined) {
    server.log.warn({ err: failure.cause, operation: id }, 'a dependency of the operation is unavailable')
  }
  respond(server, message, {
    headers: failureHeaders(failure),
    body: encoder.encode(JSON.stringify(errorBody(failure))),
  })
  return failure.code
}

function checkDeclared<Context>(
  server: Server<Context>,
  { id, row }: { id: string; row: Operation },
  error: unknown,
): Failure {
  const failure = toFailure(error)
  if (implied.includes(failure.code) || row.errors?.includes(failure.code)) return failure
  server.log.error({ err: failure, operation: id }, `failure ${failure.code} is not declared by the row`)
  return server.strict ? new Failure('internal', `${id} does not declare ${failure.code}`, { cause: failure }) : failure
}

function locationOf(reply: unknown): string | undefined {
  return (reply as { urls?: { location?: string } } | undefined)?.urls?.location
}
