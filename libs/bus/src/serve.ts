import { setTimeout as sleep } from 'node:timers/promises'
import type { Msg, Subscription } from '@nats-io/transport-node'
import {
  createsSomething,
  errorBody,
  Failure,
  toFailure,
  type Answers,
  type Caller,
  type Operation,
} from '@recto/operation'
import { runInContext, withSpan, type Metrics } from '@recto/telemetry'
import { respondInChunks, type WireReply } from './chunks.ts'
import type { Bus } from './connection.ts'
import { messagingAttributes } from './messaging.ts'
import { runHandler, type Request, type RequestMeta, type RunOnce, type Target } from './run-handler.ts'
import { failureHeaders, header } from './wire.ts'

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
  /** Carries out requests with an `Idempotency-Key` once; without it the key is ignored. */
  once?: RunOnce
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
      const drained = () => Promise.allSettled(subscriptions.map(subscription => subscription.drain()))
      await bus.whileConnected(drained).catch(() => undefined)
      while (server.inFlight.size > 0) await Promise.all(server.inFlight)
      await Promise.race([Promise.all(server.sending), sleep(chunkDrainTimeout, undefined, { ref: false })])
    },
  }
}

function subscribe<Context>(server: Server<Context>, id: string, row: Operation): Subscription {
  const subject = `${server.prefix}.${server.bus.service}.${id}`
  const { handlers, context, once } = server
  const target = { id, row, handler: handlers[id], context, once }
  return server.bus.connection.subscribe(subject, {
    queue: server.bus.service,
    // Not awaited: awaiting here would block every message behind this one.
    callback: (error, message) => {
      if (error) return server.log.error({ err: error, subject }, 'subscription failed')
      const work = handleRequest(server, target, message).then(
        () => void server.inFlight.delete(work),
        (failed: unknown) => {
          server.inFlight.delete(work)
          server.log.warn({ err: failed, subject }, 'reply could not be sent')
        },
      )
      server.inFlight.add(work)
    },
  })
}

async function handleRequest<Context>(server: Server<Context>, target: Target<Context>, message: Msg): Promise<void> {
  const deadline = Number(message.headers?.get(header.deadline)) || Date.now() + 15_000
  const requestId = message.headers?.get(header.requestId) || crypto.randomUUID()
  if (deadline <= Date.now()) return
  const work = () => answer(server, target, { message, deadline, requestId })
  await runInContext({ requestId, operationId: target.id }, work, message.headers)
}

async function answer<Context>(server: Server<Context>, target: Target<Context>, request: Request): Promise<void> {
  const { id } = target
  const { message } = request
  const started = performance.now()
  let code: string | undefined
  try {
    const attributes = () => attributesOf(server, message)
    respond(server, message, await withSpan(id, { kind: 'server', attributes }, () => replyTo(server, target, request)))
  } catch (error) {
    code = respondFailure(server, { message, id }, checkDeclared(server, target, error))
  }
  server.metrics?.operations.observe({ operation: id, seconds: (performance.now() - started) / 1000, code })
}

function attributesOf<Context>(
  { bus }: Server<Context>,
  { subject, data }: Msg,
): ReturnType<typeof messagingAttributes> {
  return messagingAttributes({ operation: 'process', subject, group: bus.service, size: data.byteLength })
}

/** Throws synchronously, too: `answer` awaits it inside its `try`. */
function replyTo<Context>(server: Server<Context>, target: Target<Context>, request: Request): Promise<WireReply> {
  if (server.inFlight.size >= (server.concurrency ?? 1000))
    throw new Failure('unavailable', 'Too many concurrent requests', { retryAfter: 1 })
  return runHandler(target, request)
}

function respond<Context>(server: Server<Context>, message: Msg, reply: WireReply): void {
  const sending = respondInChunks(server.bus, message, reply)
  if (sending === undefined) return
  const sent = sending.finally(() => server.sending.delete(sent))
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
  const isDeclared = implied.includes(failure.code) || row.errors?.includes(failure.code)
  // Every row that creates something may answer with the conflict of an `Idempotency-Key`.
  if (isDeclared || (failure.code === 'conflict' && createsSomething(row))) return failure
  server.log.error({ err: failure, operation: id }, `failure ${failure.code} is not declared by the row`)
  return server.strict ? new Failure('internal', `${id} does not declare ${failure.code}`, { cause: failure }) : failure
}
