import type { IncomingMessage } from 'node:http'
import { Failure, type Operation } from '@recto/operation'

/** Reads a request's body as bytes; throws `too_large` above the limit and `unsupported_media_type` for what is not JSON. */
export async function readBody(request: IncomingMessage, operation: Operation, limit: number): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) throw tooLarge(limit)
  const body = await collect(request, limit)
  if (!operation.body || body.byteLength === 0) return undefined
  if (!isJson(request.headers['content-type'])) {
    throw new Failure('unsupported_media_type', 'The body must be application/json')
  }
  return body
}

async function collect(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType?.trim() ?? '')
}

function tooLarge(limit: number): Failure {
  return new Failure('too_large', `The body is larger than ${limit} bytes`)
}
