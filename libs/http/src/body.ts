import type { IncomingMessage } from 'node:http'
import { Failure, type Operation } from '@recto/operation'

/** Reads a request's body as bytes; throws `too_large` above the limit and `unsupported_media_type` for what is not JSON. */
export async function readBody(request: IncomingMessage, operation: Operation, limit: number): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) throw tooLarge(request, limit)
  const body = await collect(request, limit)
  if (!operation.body || body.byteLength === 0) return undefined
  if (!isJson(request.headers['content-type']) || isEncoded(request.headers['content-encoding'])) {
    throw new Failure('unsupported_media_type', 'The body must be application/json, not compressed')
  }
  return body
}

async function collect(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop must not destroy the request: its socket is the one that carries the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(request, limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding !== 'identity'
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType?.trim() ?? '')
}

/** The rest is read and thrown away: a client that sends all before it reads would otherwise lose the answer with its connection. */
function tooLarge(request: IncomingMessage, limit: number): Failure {
  setImmediate(() => request.resume())
  return new Failure('too_large', `The body is larger than ${limit} bytes`)
}
