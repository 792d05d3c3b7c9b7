import { createHmac, type Hmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Failure, type Operation } from '@recto/operation'

const json = { name: 'application/json', fits: /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i }
const form = { name: 'application/x-www-form-urlencoded', fits: /^application\/x-www-form-urlencoded\s*(?:;|$)/i }

/** Reads a request's body as bytes; throws `too_large` above the limit in bytes and `unsupported_media_type` for another media type than the row's, unless it takes any. */
export async function readBody(
  request: IncomingMessage,
  operation: Operation,
  limit: number,
): Promise<Uint8Array | undefined> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) throw tooLarge(request, limit)
  const body = await collect(request, limit)
  if (operation.request?.raw) return body
  if (!operation.body || body.byteLength === 0) return undefined
  const { name, fits } = operation.request?.form ? form : json
  if (!fits.test(request.headers['content-type']?.trim() ?? '') || isEncoded(request.headers['content-encoding'])) {
    throw new Failure('unsupported_media_type', `The body must be ${name}, not compressed`)
  }
  return body
}

/** The body of a request, or the signature of one that is too large to be kept. */
export type ReceivedBody = { bytes: Uint8Array | undefined } | { signature: string }

/** How a body is received that may be too large to be kept, in bytes. */
export interface SignedLimits {
  keptUpTo: number
  signedBytes: number
  /** The key to sign with, asked for as soon as a body is too large. */
  key(): Promise<string>
}

/** Reads a body as bytes, or signs it while it arrives where it is larger than what is kept. Throws `too_large` above what is signed. */
export async function readOrSign(request: IncomingMessage, limits: SignedLimits): Promise<ReceivedBody> {
  const { keptUpTo, signedBytes, key } = limits
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > signedBytes) throw tooLarge(request, signedBytes)
  const chunks: Buffer[] = []
  let size = 0
  let hmac: Hmac | undefined
  // The request is not destroyed when this ends early: its socket carries the reply.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > signedBytes) throw tooLarge(request, signedBytes)
    chunks.push(chunk)
    if (!hmac && Math.max(size, announced) <= keptUpTo) continue
    hmac ??= createHmac('sha256', await key())
    for (const each of chunks.splice(0)) hmac.update(each)
  }
  return hmac ? { signature: hmac.digest('hex') } : { bytes: Buffer.concat(chunks) }
}

/** By events, which cost a request less than an iterator does. The request is never destroyed: its socket carries the reply. */
function collect(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const add = (chunk: Buffer): void => {
      size += chunk.byteLength
      if (size <= limit) return void chunks.push(chunk)
      request.off('data', add).pause()
      reject(tooLarge(request, limit))
    }
    const abort = (): void => reject(request.errored ?? new Error('The request was aborted'))
    // Who is gone already sends no events.
    if (request.destroyed) return abort()
    request
      .on('data', add)
      .once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
      .once('error', reject)
      .once('close', abort)
  })
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding !== 'identity'
}

/** Discards the rest of the body: a client that sends everything before it reads would lose the reply otherwise. */
function tooLarge(request: IncomingMessage, limit: number): Failure {
  setImmediate(() => request.resume())
  return new Failure('too_large', `The body is larger than ${limit} bytes`)
}
