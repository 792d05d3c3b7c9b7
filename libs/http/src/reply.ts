import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { discard, wholeBody, type BusReply } from '@recto/bus'
import {
  errorBody,
  type BodyForm,
  type Failure,
  type FailurePage,
  type HttpReply,
  type Operation,
} from '@recto/operation'
import { sendEvents } from './event-stream.ts'
import { failurePage } from './failure-page.ts'

const json = 'application/json; charset=utf-8'
/** Seconds, not longer than the download URLs in a reply are valid. */
const immutableAge = 43_200
/** Bytes up to which a body is sent as a text. */
const maxTextBodyBytes = 16_384

/** Security headers of HTML pages: not stored, no scripts, no framing. */
const pageHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  operation: Operation
  /** The form of bodies, where a protocol has its own. */
  form?: BodyForm | undefined
  /** Seconds for which the caller may keep what never changes; without, as long as it is of use. */
  maxAge?: number | undefined
}

/** Copies a reply of the bus to the HTTP response; a GET whose `If-None-Match` has the reply's `ETag`, which is a hash unless the service has set one, gets 304. */
export async function sendReply(exchange: Exchange, reply: BusReply): Promise<void> {
  const { request, response, operation } = exchange
  if (reply.events) return sendEvents(exchange, reply.events, operation.response?.eventId)
  if (operation.response?.isWhole) return sendWhole(exchange, await wholeBody(reply))
  response.statusCode = reply.status
  if (reply.etag) response.setHeader('etag', reply.etag)
  if (reply.cookie) response.setHeader('set-cookie', reply.cookie)
  if (reply.location) response.setHeader('location', reply.location.replaceAll(/[^\x21-\x7e]+/g, encodeURI))
  if (reply.status === 204) return void response.end()
  if (reply.status === 302)
    return void response.setHeader('cache-control', 'no-store').setHeader('referrer-policy', 'no-referrer').end()
  setCacheHeaders(exchange)
  if (reply.status === 304) return void response.end()
  // A row without reply: no body is no JSON.
  if (reply.size === 0) return void response.setHeader('content-length', 0).end()
  response.setHeader('content-type', withCharset(operation.response?.mediaType ?? exchange.form?.mediaType))
  if (operation.response?.mediaType === 'text/html') setPageHeaders(response)
  if (!(reply.body instanceof Uint8Array)) return await stream(request, response, reply)
  if (!reply.etag && (request.method === 'GET' || request.method === 'HEAD')) {
    const tag = `W/"${hash('sha1', reply.body, 'base64url')}"`
    response.setHeader('etag', tag)
    if (request.headers['if-none-match']?.includes(tag)) return void response.writeHead(304).end()
  }
  response.setHeader('content-length', reply.size)
  if (request.method === 'HEAD') return void response.end()
  // Node sends a text together with the headers, and bytes after them, which costs more than making a text of few bytes. Latin-1 maps each
  // byte to one character and back, so the bytes stay as they are.
  if (reply.size > maxTextBodyBytes) return void response.end(reply.body)
  const { buffer, byteOffset, byteLength } = reply.body
  response.end(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'), 'latin1')
}

/** Headers of a whole reply that this connection decides, and which pages of other origins may read replies. */
const ownHeaders =
  /^(connection|content-length|date|keep-alive|transfer-encoding|vary|x-request-id|access-control-.*)$/i

/** Sends the reply of a server that runs in a service as it is, under the name of this request. */
function sendWhole({ request, response }: Exchange, encoded: Uint8Array): void {
  const { status, headers, body } = JSON.parse(Buffer.from(encoded).toString()) as HttpReply
  response.statusCode = status
  for (const [name, value] of headers) if (!ownHeaders.test(name)) response.appendHeader(name, value)
  const bytes = Buffer.from(body)
  if (status !== 204 && status !== 304) response.setHeader('content-length', bytes.byteLength)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

const withCharset = (mediaType: string | undefined) => (mediaType === undefined ? json : `${mediaType}; charset=utf-8`)

function setCacheHeaders({ response, operation, maxAge }: Exchange): void {
  const { immutable, sharedForSeconds } = operation.cache ?? {}
  if (sharedForSeconds !== undefined)
    return void response.setHeader('cache-control', `public, max-age=${sharedForSeconds}`)
  if (!immutable) return void response.setHeader('cache-control', 'private, no-cache')
  const age = maxAge === undefined ? `${immutableAge}, immutable` : `${maxAge}, must-revalidate`
  // A browser has one cache for all tokens that are used in it.
  response.setHeader('cache-control', `private, max-age=${age}`).setHeader('vary', 'Authorization')
}

/** The parts of a failure page: the row's page, and the id of the request. */
export interface PageContext {
  page: FailurePage
  requestId: string
}

/** How a failure is shown: as a page for a person, in the form of a protocol, or else as the error body of the API. */
interface FailureForm {
  person?: PageContext | undefined
  form?: BodyForm | undefined
}

/** Sends a failure with the headers of its code: as JSON error body, which a protocol may have a form of its own for, or as HTML page. */
export function sendFailure(response: ServerResponse, failure: Failure, { person, form }: FailureForm = {}): void {
  if (response.headersSent) return void response.destroy()
  const body = Buffer.from(
    person
      ? failurePage(person.page, failure, person.requestId)
      : JSON.stringify(form?.errorBody(failure) ?? errorBody(failure)),
  )
  response.statusCode = failure.status
  if (failure.code === 'unauthenticated') response.setHeader('www-authenticate', 'Bearer realm="recto"')
  if (failure.retryAfter !== undefined) response.setHeader('retry-after', failure.retryAfter)
  if (failure.etag !== undefined) response.setHeader('etag', failure.etag)
  response.setHeader('content-type', person ? 'text/html; charset=utf-8' : withCharset(form?.mediaType))
  response.setHeader('cache-control', 'no-store')
  if (person) setPageHeaders(response)
  response.setHeader('content-length', body.byteLength)
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

function setPageHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value)
}

async function stream(request: IncomingMessage, response: ServerResponse, reply: BusReply): Promise<void> {
  response.setHeader('content-length', reply.size)
  if (request.method === 'HEAD' || response.destroyed) {
    response.end()
    return discard(reply)
  }
  await pipeline(reply.body, response).catch((error: NodeJS.ErrnoException) => {
    // The client disconnected.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}
