import type { RequestListener } from 'node:http'
import { headerJson, requestReply, type Bus, type BusReply, type RequestConditions } from '@recto/bus'
import {
  actorOf,
  changesSomething,
  Failure,
  requireAllowed,
  toFailure,
  type AbsentPaths,
  type Caller,
  type FailurePage,
  type Operations,
  type Origin,
  type Protocol,
} from '@recto/operation'
import { currentContext, runInContext, withSpan, type Metrics } from '@recto/telemetry'
import cors from 'cors'
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import type { Actors, KnownActor } from './actors.ts'
import { findActor } from './find-actor.ts'
import { readBody, readOrSign, type ReceivedBody } from './body.ts'
import { RateLimited, type RateLimit, type RateState } from './limits.ts'
import { conditionsOf, headersOf, queryOf, requestIdOf } from './read-request.ts'
import { conditionalReply, type ReplyCache } from './reply-cache.ts'
import { cachePlaceOf } from './reply-cache.rules.ts'
import { sendFailure, sendReply } from './reply.ts'
import { createRoutes, type Matched, type Routes } from './routes.ts'
import { httpSpan } from './spans.ts'

interface Log {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** Parts and limits of the HTTP gateway; it knows no product. */
export interface GatewayOptions {
  bus: Bus
  api: Record<string, Operations>
  /** Protocols of standards, each below a base path of its own. */
  protocols?: readonly Protocol[]
  /** Paths that the API does not have by decision. */
  absent?: readonly AbsentPaths[]
  actors: Pick<Actors<Caller>, 'find'>
  /** Requests per token. */
  rate: RateLimit
  /** Requests of callers that are no users, by their kind, and of rows that name another limit; `rate` unless given. */
  rates?: Partial<Record<string, RateLimit>>
  /** Refused tokens per client address, against guessing. */
  refusals: RateLimit
  /** Maximum size of a request body in bytes. */
  bodyLimit: number
  /** The key that signs bodies of a row which are too large to be kept (`limits.signedBytes`), by its operationId. */
  signingKeys?: Partial<Record<string, (params: Record<string, string>) => Promise<string>>>
  /** Milliseconds a request may take, for rows without a `timeout`. */
  timeout: number
  /** Keeps replies of rows whose `cache` is `within` a resource; `variant` is what decides replies besides request and caller. */
  cache?: { replies: ReplyCache; variant(): string } | undefined
  /** Handles `/livez`, `/readyz` and `/metrics`; returns whether it did. */
  health(...exchange: Parameters<RequestListener>): boolean
  /** Mounts routes of the gateway itself: documents, downloads. */
  mount?(app: Express): void
  log: Log
  metrics?: Metrics
}

interface Exchange {
  request: Request
  response: Response
  requestId: string
  /** The protocol below whose base the request is; none for the API itself. */
  protocol?: Protocol | undefined
}

/** Rows below one base path. */
interface Surface {
  base: string
  routes: Routes
  protocol?: Protocol
}

/** The record of a request in the log: operation, status and the ids of user and token; never its content. */
interface RequestRecord {
  matched?: Matched
  actor?: KnownActor
  code?: string
}

/** Characters of the name of a client in the record. */
const maxUserAgent = 256

const noBody: ReceivedBody = { bytes: undefined }

const exposedHeaders = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Location',
  'ETag',
]

/** Creates the express app of the gateway: health, CORS, mounted routes, and one handler for every row of the contract under `/v1`, and of protocols under their bases. */
export function createGateway(options: GatewayOptions): Express {
  const api = { base: '/v1', routes: createRoutes(options.api, '/v1', options.absent) }
  const protocols = (options.protocols ?? []).map(protocol => ({
    protocol,
    base: protocol.base,
    routes: createRoutes(protocol.api, protocol.base),
  }))
  const surfaces = [api, ...protocols].map(surface => ({ surface, start: `${surface.base}/` }))
  const surfaceOf = (url: string): Surface | undefined => surfaces.find(({ start }) => url.startsWith(start))?.surface
  const app = express()
  app.disable('x-powered-by').disable('etag')
  const allowOrigins = cors({ exposedHeaders: exposedHeaders, maxAge: 86_400 })
  const answer = (surface: Surface, request: Request, response: Response) =>
    handle(options, surface.routes, { ...startExchange(request, response), protocol: surface.protocol })
  // One layer for nearly every request, because express tries its layers one after another.
  app.use((request, response, next) => {
    const surface = surfaceOf(request.url)
    if (surface) allowOrigins(request, response, () => void answer(surface, request, response).catch(next))
    else if (!options.health(request, response)) allowOrigins(request, response, next)
  })
  options.mount?.(app)
  app.use((request, response) => answer(api, request, response))
  app.use(mountedErrorHandler(options))
  return app
}

/** Handles errors of mounted routes. */
function mountedErrorHandler(options: GatewayOptions): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  // eslint-disable-next-line max-params
  return (error, request, response, _next) => {
    respondFailure(options, startExchange(request, response), toRequestFailure(error))
  }
}

function startExchange(request: Request, response: Response): Exchange {
  const requestId = requestIdOf(request)
  if (!response.headersSent) {
    response.setHeader('x-request-id', requestId)
    response.setHeader('x-content-type-options', 'nosniff')
  }
  return { request, response, requestId }
}

function handle(options: GatewayOptions, routes: Routes, exchange: Exchange): Promise<void> {
  const { request, response, requestId } = exchange
  const started = performance.now()
  const seen: RequestRecord = {}
  const work = async (): Promise<void> => {
    try {
      const matched = match(routes, exchange)
      seen.matched = matched
      await withSpan(matched.operationId, httpSpan(exchange, matched), () =>
        authorizeAndReply(options, exchange, seen as RequestRecord & { matched: Matched }),
      )
    } catch (error) {
      seen.code = respondFailure(options, { ...exchange, page: seen.matched?.operation.response?.failurePage }, error)
    }
    const seconds = (performance.now() - started) / 1000
    const operation = seen.matched?.operationId ?? 'unmatched'
    options.metrics?.operations.observe({ operation, seconds, code: seen.code })
    const who = { user: seen.actor?.actor.userId, token: seen.actor?.tokenId }
    options.log.info({ operation, status: response.statusCode, ms: Math.round(seconds * 1000), ...who }, 'request')
  }
  return runInContext({ requestId }, work, request.headers)
}

function match(routes: Routes, { request, response }: Exchange): Matched {
  try {
    return routes.match(request.method, request.path)
  } catch (error) {
    if (error instanceof Failure && error.code === 'method_not_allowed')
      response.setHeader('allow', routes.allowed(request.path).join(', '))
    throw error
  }
}

async function authorizeAndReply(
  options: GatewayOptions,
  exchange: Exchange,
  seen: RequestRecord & { matched: Matched },
): Promise<void> {
  const { request, response } = exchange
  const { operation } = seen.matched
  const knownActor = await authorize(options, exchange, seen)
  const receivedBody = isRead(request) ? noBody : await receiveBody(options, request, seen.matched)
  const reply = await cachedOrFreshReply(options, { request, matched: seen.matched, knownActor, receivedBody })
  await sendReply({ request, response, operation, form: exchange.protocol, maxAge: knownActor?.maxAge }, reply)
}

/** Whether a request has no body and can be repeated. */
const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

async function receiveBody(
  { bodyLimit, signingKeys }: GatewayOptions,
  request: Request,
  { operation, operationId, params }: Matched,
): Promise<ReceivedBody> {
  const limit = Math.min(bodyLimit, operation.limits?.bodyBytes ?? Infinity)
  const keyOf = signingKeys?.[operationId]
  const { signedBytes } = operation.limits ?? {}
  if (signedBytes === undefined || !keyOf) return { bytes: await readBody(request, operation, limit) }
  return readOrSign(request, { keptUpTo: limit, signedBytes, key: () => keyOf(params) })
}

interface Authorized {
  request: Request
  matched: Matched
  knownActor: KnownActor | undefined
  receivedBody: ReceivedBody
}

/** The reply from the cache where it may be kept, else from the service that owns the row. */
async function cachedOrFreshReply(options: GatewayOptions, authorized: Authorized): Promise<BusReply> {
  const { request, matched, knownActor } = authorized
  const query = queryOf(request.url)
  const conditions = conditionsOf(request)
  const { cache } = options
  const isConditional = conditions?.ifMatch !== undefined || conditions?.idempotencyKey !== undefined
  const place =
    cache &&
    knownActor?.audience &&
    cachePlaceOf({ matched, query, audience: knownActor.audience, isConditional, variant: cache.variant() })
  // Awaited here: a promise that an asynchronous function returns is settled by two more.
  if (!cache || !place) return await requestService(options, authorized, { query, conditions })
  const reply = await cache.replies.reply(place, () => requestService(options, authorized, { query }))
  return conditionalReply(reply, conditions?.ifNoneMatch)
}

function requestService(
  options: GatewayOptions,
  { request, matched, knownActor, receivedBody }: Authorized,
  { query, conditions }: { query: ReturnType<typeof queryOf>; conditions?: RequestConditions | undefined },
): Promise<BusReply> {
  const { service, operationId, operation, params } = matched
  const { headers } = operation.request ?? {}
  return requestReply(options.bus, {
    subject: `api.${service}.${operationId}`,
    actor: knownActor?.header,
    params: headerJson({
      params,
      query,
      ...(headers && { headers: headersOf(request, headers) }),
      ...('signature' in receivedBody && { signature: receivedBody.signature }),
    }),
    body: 'bytes' in receivedBody ? receivedBody.bytes : undefined,
    conditions,
    origin: originOf({ request, matched, knownActor }),
    timeout: operation.limits?.timeoutMs ?? options.timeout,
    retry: isRead(request),
  })
}

/** Who sends a request that may change something, and from where; reads are sent without. */
function originOf({ request, matched, knownActor }: Omit<Authorized, 'receivedBody'>): string | undefined {
  if (!changesSomething(matched.operation)) return undefined
  const { ip: address, headers } = request
  const userAgent = headers['user-agent']?.slice(0, maxUserAgent)
  return headerJson({
    ...(knownActor && { actor: actorOf(knownActor.actor) }),
    operationId: matched.operationId,
    requestId: currentContext()?.requestId,
    client: { address, userAgent, token: knownActor?.tokenId },
  } satisfies Origin)
}

async function authorize(
  options: GatewayOptions,
  { request, response }: Exchange,
  seen: RequestRecord & { matched: Matched },
): Promise<KnownActor | undefined> {
  const { operation, params } = seen.matched
  if (operation.access?.public) {
    const { rate: name = '', rateBy } = operation.limits ?? {}
    const rate = options.rates?.[name] ?? options.rate
    setRateHeaders(response, await rate.take(`address ${request.ip}`))
    if (rateBy) await rate.take(`${rateBy} ${params[rateBy]}`)
    return undefined
  }
  const knownActor = await findActor(options, request)
  seen.actor = knownActor
  const rate = options.rates?.[knownActor.actor.kind ?? ''] ?? options.rate
  setRateHeaders(response, await rate.take(knownActor.tokenId))
  requireAllowed(operation, knownActor.actor)
  return knownActor
}

function respondFailure(
  options: GatewayOptions,
  { request, response, requestId, protocol, page }: Exchange & { page?: FailurePage | undefined },
  error: unknown,
): string {
  // The client disconnected while sending its body: no reply is possible.
  if (request.errored) return 'aborted'
  const failure = toFailure(error)
  if (failure instanceof RateLimited) setRateHeaders(response, failure.state)
  if (failure.code === 'internal' && !(error instanceof Failure)) options.log.error({ err: error }, 'gateway failed')
  sendFailure(response, failure, { person: page && { page, requestId }, form: protocol })
  return failure.code
}

/** Express reports unreadable requests, such as a path that cannot be decoded, by errors with a status. */
function toRequestFailure(error: unknown): unknown {
  const isBadRequest = !(error instanceof Failure) && (error as { status?: unknown } | null)?.status === 400
  return isBadRequest ? new Failure('invalid_request', 'The request is not valid', { cause: error }) : error
}

function setRateHeaders(response: Response, state: RateState): void {
  response.setHeader('x-ratelimit-limit', state.limit)
  response.setHeader('x-ratelimit-remaining', state.remaining)
  response.setHeader('x-ratelimit-reset', state.reset)
}
