import type { KnownActor } from '@recto/http'
import {
  createMcpEndpoint,
  isForeignOrigin,
  mcpError,
  mcpErrorCodes,
  methodNotAllowed,
  type McpEndpoint,
  type McpResponse,
} from '@recto/mcp'
import { Failure, toFailure, type Operations } from '@recto/operation'
import type { Log, Metrics } from '@recto/telemetry'
import express, { type Express, type Request, type Response } from 'express'
import { authorServer } from './author-server.ts'
import { inProcess, type SendInProcess } from './in-process.ts'
import { createCatalogue, type Catalogue, type Reference } from './catalogue.ts'

/** The parts of the address for authors. */
interface Mounting {
  /** The operations of the API. */
  api: Record<string, Operations>
  publicUrl: string
  bodyLimit: number
  /** Milliseconds of a request of the API, which an operation may exceed. */
  timeoutMs: number
  /** Reads the API reference. */
  readReference(): unknown
  /** Finds who calls, and counts the request. Throws what the client is told. */
  findCaller(request: Request): Promise<KnownActor>
  log: Log
  metrics: Metrics
}

const path = '/mcp'
const limits = { concurrency: 64, concurrencyOfClient: 8 }
/** Milliseconds that the answer of an operation has to become that of its tool. */
const margin = 1_000

/** Mounts `/mcp`: the API for authors' agents, as tools. Each call becomes a request of the same app. */
export function mountMcp(app: Express, mounting: Mounting): void {
  const { api, bodyLimit, log, metrics } = mounting
  const endpoint = createMcpEndpoint({ ...limits, bodyBytes: bodyLimit, timeoutMs: longestTimeout(mounting) + margin })
  const readText = express.text({ type: () => true, limit: bodyLimit })
  const readBody = (request: Request, response: Response) =>
    new Promise<string>((resolve, reject) => {
      readText(request, response, (error?: { status?: number }) => {
        if (error) reject(unreadable(error))
        else resolve(typeof request.body === 'string' ? request.body : '')
      })
    })
  const sendInProcess = inProcess(app)
  let cachedCatalogue: Catalogue | undefined
  // The reference is large, and nobody may ask.
  const catalogue = () => (cachedCatalogue ??= createCatalogue(api, mounting.readReference() as Reference))
  const answer = async (request: Request, response: Response): Promise<void> => {
    const started = performance.now()
    const result: FailedResponse = await answerRequest({
      send: sendInProcess,
      endpoint,
      catalogue,
      readBody,
      request,
      response,
      mounting,
    }).catch((error: unknown) => failureResponse(error, mounting.publicUrl))
    // Who has gone is told nothing.
    const code = response.destroyed ? 'aborted' : result.code
    send(response, result)
    metrics.operations.observe({ operation: 'mcp', seconds: (performance.now() - started) / 1_000, code })
    if (code === 'internal') log.error({ err: result.cause }, 'an MCP request failed')
  }
  app.post(path, answer)
  app.all(path, (_request, response) => send(response, methodNotAllowed()))
}

/** The time of the operation that may take longest. */
function longestTimeout({ api, timeoutMs }: Mounting): number {
  const rows = Object.values(api).flatMap(operations => Object.values(operations))
  return Math.max(timeoutMs, ...rows.map(({ limits }) => limits?.timeoutMs ?? 0))
}

interface Answering {
  send: SendInProcess
  endpoint: McpEndpoint
  catalogue(): Catalogue
  readBody(request: Request, response: Response): Promise<string>
  request: Request
  response: Response
  mounting: Mounting
}

async function answerRequest({ request, response, mounting, ...parts }: Answering): Promise<McpResponse> {
  const { origin, authorization = '' } = request.headers
  if (isForeignOrigin(origin, [new URL(mounting.publicUrl).origin]))
    throw new Failure('forbidden', 'Pages of other origins may not send requests to this address')
  const { actor, tokenId } = await mounting.findCaller(request)
  if (actor.kind !== undefined) throw new Failure('forbidden', `The token of a ${actor.kind} does not allow this`)
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]))
  const body = await parts.readBody(request, response)
  const sent = { url: `${mounting.publicUrl}${path}`, headers, body, client: tokenId, signal: untilClosed(response) }
  return parts.endpoint(sent, () => {
    const caller = { authorization, address: request.ip, headers }
    return Promise.resolve(authorServer({ send: parts.send, catalogue: parts.catalogue(), caller, token: actor }))
  })
}

/** A signal that aborts when a connection ends before its answer. */
function untilClosed(response: Response): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

interface FailedResponse extends McpResponse {
  code?: string
  cause?: unknown
}

/** The reply to a request that is refused. It says where programs find the authorization server (RFC 9728, section 5.1). */
function failureResponse(error: unknown, publicUrl: string): FailedResponse {
  const failure = toFailure(error)
  const { code, status, message, retryAfter } = failure
  const headers = {
    ...(code === 'unauthenticated' && {
      'www-authenticate': `Bearer realm="recto", resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`,
    }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  }
  return { ...mcpError({ status, code: mcpErrorCodes.refused, message, headers }), code, cause: failure.cause }
}

function unreadable({ status }: { status?: number }): Failure {
  const code = status === 413 ? 'too_large' : status === 415 ? 'unsupported_media_type' : 'invalid_request'
  return new Failure(code, 'The body of the request cannot be read')
}

function send(response: Response, { status, headers, body }: McpResponse): void {
  if (response.headersSent || response.destroyed) return
  response.status(status).set(headers)
  if (body === null) response.end()
  else response.send(body)
}
