import type { RequestListener } from 'node:http'
import { headerJson, requestReply, type Bus } from '@recto/bus'
import { allows, Failure, scopeOf, toFailure, type Caller, type FailurePage, type Operations } from '@recto/operation'
import { runInContext, withSpan, type Metrics } from '@recto/telemetry'
import cors from 'cors'
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import { bearerToken, type Actors, type KnownActor } from './actors.ts'
import { readBody } from './body.ts'
import { RateLimited, type RateLimit, type RateState } from './limits.ts'
import { sendFailure, sendReply } from './reply.ts'
import { createRoutes, type Matched, type Routes } from './routes.ts'
import { httpSpan } from './spans.ts'

interface Log {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** What the HTTP edge is made of; it knows no product. */
export interface GatewayOptions {
  bus: Bus
  api: Record<string, Operations>
  actors: Pick<Actors<Caller>, 'find'>
  /** Requests per token. */
  rate: RateLimit
  /** Refused requests per client address, so that tokens cannot be guessed at speed. */
  refusals: RateLimit
  /** Bytes of a request body at most. */
  bodyLimit: number
  /** Milliseconds that a request may take unless its row says otherwise. */
  timeout: number
  /** `/livez`, `/readyz`, `/metrics`: true when it answered. */
  health(...exchange: Parameters<RequestListener>): boolean
  /** Routes of the edge itself: documents, downloads. */
  mount?(app: Express): void
  log: Log
  metrics?: Metrics
}

interface Exchange {
  request: Request
  response: Response
  requestId: string
}

/** What the log says of a request: who asked, by the ids of user and token, and never what they said. */
interface RequestRecord {
  matched?: Matched
  known?: KnownActor
  code?: string
}

const exposedHeaders = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Location',
  'ETag',
]

/** The express app of the gateway: health, CORS, mounted routes, and one handler for every row of the contract under `/v1`. */
export function createGateway(options: GatewayOptions): Express {
  const routes = createRoutes(options.api, '/v1')
  const app = express()
  app.disable('x-powered-by').disable('etag')
  const allowOrigins = cors({ exposedHeaders: exposedHeaders, maxAge: 86_400 })
  const answerApi = (request: Request, response: Response) => handle(options, routes, startExchange(request, response))
  // One layer for nearly every request, because express tries its layers one after another.
  app.use((request, response, next) => {
    if (request.url.startsWith('/v1/'))
      allowOrigins(request, response, () => void answerApi(request, response).catch(next))
    else if (!options.health(request, response)) allowOrigins(request, response, next)
  })
  options.mount?.(app)
  app.use(answerApi)
  app.use(mountedErrorHandler(options))
  return app
}

/** Only what is mounted can get here. Express knows a handler of errors by its four parameters. */
function mountedErrorHandler(options: GatewayOptions): ErrorRequestHandler {
  const refuseIt = (...[error, request, response]: Parameters<ErrorRequestHandler>): void => {
    respondFailure(options, startExchange(request, response), toRequestFailure(error))
  }
  return Object.defineProperty(refuseIt, 'length', { value: 4 })
}

function startExchange(request: Request, response: Response): Exchange {
  const requestId = requestIdOf(request)
  if (!response.headersSent) {
    response.setHeader('x-request-id', requestId)
    response.setHeader('x-content-type-options', 'nosniff')
  }
  return { request, response, requestId }
}

async function handle(options: GatewayOptions, routes: Routes, exchange: Exchange): Promise<void> {
  const { request, response, requestId } = exchange
  const started = performance.now()
  const seen: RequestRecord = {}
  const work = async (): Promise<void> => {
    try {
      const matched = match(routes, exchange)
      seen.matched = matched
      await withSpan(matched.operationId, httpSpan(exchange, matched), () =>
        answer(options, exchange, seen as RequestRecord & { matched: Matched }),
      )
    } catch (error) {
      seen.code = respondFailure(options, { ...exchange, page: seen.matched?.operation.failurePage }, error)
    }
    const seconds = (performance.now() - started) / 1000
    const operation = seen.matched?.operationId ?? 'unmatched'
    options.metrics?.operations.observe({ operation, seconds, code: seen.code })
    const who = { user: seen.known?.actor.userId, token: seen.known?.tokenId }
    options.log.info({ operation, status: response.statusCode, ms: Math.round(seconds * 1000), ...who }, 'request')
  }
  await runInContext({ requestId }, work, request.headers)
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

async function answer(
  options: GatewayOptions,
  exchange: Exchange,
  seen: RequestRecord & { matched: Matched },
): Promise<void> {
  const { request, response } = exchange
  const { matched } = seen
  const { operation } = matched
  const known = await authorize(options, exchange, seen)
  const body = await readBody(request, operation, options.bodyLimit)
  const reply = await requestReply(options.bus, {
    subject: `api.${matched.service}.${matched.operationId}`,
    actor: known?.header,
    params: headerJson({ params: matched.params, query: queryOf(request.url) }),
    body,
    timeout: operation.timeout ?? options.timeout,
    retry: request.method === 'GET' || request.method === 'HEAD',
  })
  await sendReply({ request, response, operation }, reply)
}

async function authorize(
  options: GatewayOptions,
  { request, response }: Exchange,
  seen: RequestRecord & { matched: Matched },
): Promise<KnownActor | undefined> {
  const { operation } = seen.matched
  if (operation.public) {
    setRateHeaders(response, await options.rate.take(`address ${request.ip}`))
    return undefined
  }
  const known = await findActor(options, bearerToken(request.headers.authorization), () => request.ip ?? '')
  seen.known = known
  setRateHeaders(response, await options.rate.take(known.tokenId))
  const scope = scopeOf(operation)
  if (!allows(known.actor.scopes, scope)) throw new Failure('forbidden', `The token lacks the scope ${scope}`)
  return known
}

let turn: Promise<void> | undefined

/** Comes when what has arrived by now has been read; all who wait in the same turn of the event loop wait together. */
function nextEventLoopTurn(): Promise<void> {
  turn ??= new Promise(resolve =>
    setImmediate(() => {
      turn = undefined
      resolve()
    }),
  )
  return turn
}

/** Refusals are counted by address; who holds a valid token is let in from there all the same. */
async function findActor(
  { actors, refusals }: GatewayOptions,
  token: string,
  address: () => string,
): Promise<KnownActor> {
  // What the bus has delivered by now is heard first: it may drop the actor that this request would be answered for.
  await nextEventLoopTurn()
  try {
    return await actors.find(token)
  } catch (error) {
    if (error instanceof Failure && error.code === 'unauthenticated') await refusals.take(address())
    throw error
  }
}

function respondFailure(
  options: GatewayOptions,
  { request, response, requestId, page }: Exchange & { page?: FailurePage | undefined },
  error: unknown,
): string {
  // A client that left in the middle of its body is nobody's fault, and hears nothing.
  if (request.errored) return 'aborted'
  const failure = toFailure(error)
  if (failure instanceof RateLimited) setRateHeaders(response, failure.state)
  if (failure.code === 'internal' && !(error instanceof Failure)) options.log.error({ err: error }, 'gateway failed')
  sendFailure(response, failure, page && { page, requestId })
  return failure.code
}

/** Express tells of requests that it cannot read, a path that cannot be decoded say, by errors with a status. */
function toRequestFailure(error: unknown): unknown {
  const isBadRequest = !(error instanceof Failure) && (error as { status?: unknown } | null)?.status === 400
  return isBadRequest ? new Failure('invalid_request', 'The request is not valid', { cause: error }) : error
}

function setRateHeaders(response: Response, state: RateState): void {
  response.setHeader('x-ratelimit-limit', state.limit)
  response.setHeader('x-ratelimit-remaining', state.remaining)
  response.setHeader('x-ratelimit-reset', state.reset)
}

function requestIdOf(request: Request): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : crypto.randomUUID()
}

/** More parameters than any operation has; reading them must cost no more than sending them. */
const maxParameters = 1_000

function queryOf(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?')
  if (start < 0) return {}
  const parameters = new URLSearchParams(url.slice(start))
  if (parameters.size > maxParameters)
    throw new Failure('invalid_request', `More than ${maxParameters} query parameters`)
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of parameters) {
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === 'string') query[name] = [before, value]
    else before.push(value)
  }
  return query
}
