import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BusReply } from '@recto/bus'
import { errorBody, type Failure } from '@recto/operation'

const json = 'application/json; charset=utf-8'

/** Copies a reply of the bus to the HTTP response; a GET that still has it by its `ETag` is answered 304. */
export async function sendReply(request: IncomingMessage, response: ServerResponse, reply: BusReply): Promise<void> {
  response.statusCode = reply.status
  if (reply.location) response.setHeader('location', reply.location)
  if (reply.status === 204) return void response.end()
  response.setHeader('content-type', json)
  response.setHeader('cache-control', 'private, no-cache')
  if (!(reply.body instanceof Uint8Array)) return await stream(request, response, { body: reply.body, size: reply.size })
  if (request.method === 'GET' || request.method === 'HEAD') {
    const tag = `W/"${createHash('sha1').update(reply.body).digest('base64url')}"`
    response.setHeader('etag', tag)
    if (request.headers['if-none-match']?.includes(tag)) return void response.writeHead(304).end()
  }
  response.setHeader('content-length', reply.size)
  response.end(request.method === 'HEAD' ? undefined : reply.body)
}

/** Sends the error body of a failure, with the headers that go with its code. */
export function sendFailure(response: ServerResponse, failure: Failure): void {
  if (response.headersSent) return void response.destroy()
  const body = Buffer.from(JSON.stringify(errorBody(failure)))
  response.statusCode = failure.status
  if (failure.code === 'unauthenticated') response.setHeader('www-authenticate', 'Bearer realm="recto"')
  if (failure.code === 'too_large') response.setHeader('connection', 'close')
  if (failure.retryAfter !== undefined) response.setHeader('retry-after', failure.retryAfter)
  response.setHeader('content-type', json)
  response.setHeader('cache-control', 'no-store')
  response.setHeader('content-length', body.byteLength)
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

async function stream(request: IncomingMessage, response: ServerResponse, { body, size }: { body: AsyncIterable<Uint8Array>; size: number }): Promise<void> {
  response.setHeader('content-length', size)
  if (request.method === 'HEAD') return void response.end()
  for await (const chunk of body) {
    if (response.destroyed) return
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  response.end()
}
