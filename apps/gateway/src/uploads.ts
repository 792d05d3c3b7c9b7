import type { IncomingMessage } from 'node:http'
import { uploadPath, verifyUpload, type BlobStore, type PutResult, type Upload, type UploadFault } from '@recto/blobs'
import { sendFailure } from '@recto/http'
import { Failure, toFailure, type Secrets } from '@recto/operation'
import type { Express, NextFunction, Request, Response } from 'express'

/** The parts that uploads need. */
export interface Uploads {
  blobs: BlobStore
  secret: Secrets
  /** Milliseconds that a sender may pause. */
  idleTimeout: number
  /** Records that the bytes of an upload are stored. */
  complete(upload: PutResult & { key: string }): Promise<void>
}

const faults: Record<UploadFault, () => Failure> = {
  malformed: () => new Failure('not_found', 'There is no such upload'),
  forged: () => new Failure('not_found', 'There is no such upload'),
  expired: () => new Failure('forbidden', 'This upload URL has expired; create a new one'),
}
/** Milliseconds for which the rest of a refused body is read and discarded, so that its sender gets to the reply. */
const discardTime = 5_000

/** Mounts `PUT /uploads/<token>`: the signed URL is the permission, so no access token is needed. Bytes are stored completely or not at all. */
export function mountUploads(app: Express, uploads: Uploads): void {
  app.put(`${uploadPath}:token`, (request, response, next) =>
    upload(uploads, request, response).catch((error: unknown) => refuse({ request, response, next }, error)),
  )
}

/** Whether a request is an upload, which answers `Expect: 100-continue` itself and takes as long as its sender does not pause. */
export function answersExpectation({ method, url = '' }: IncomingMessage): boolean {
  return method === 'PUT' && url.startsWith(uploadPath)
}

async function upload(uploads: Uploads, request: Request, response: Response): Promise<void> {
  const { blobs, secret, idleTimeout, complete } = uploads
  const granted = verifyUpload({ secret, now: new Date() }, String(request.params.token))
  if (typeof granted === 'string') throw faults[granted]()
  requireHeaders(request, granted)
  if (request.headers.expect !== undefined) response.writeContinue()
  const { hash, size } = await blobs.put(bytesOf(request, granted, idleTimeout))
  await complete({ key: granted.key, hash, size })
  response.set('cache-control', 'no-store').json({ key: granted.key, size, hash })
}

/** Refuses what cannot be right before any of it is sent. */
function requireHeaders({ headers }: IncomingMessage, { size }: Upload): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new Failure('unsupported_media_type', 'The body must not be compressed')
  const announced = headers['content-length']
  if (announced !== undefined) requireSize(Number(announced), size)
}

function requireSize(sent: number, size: number): void {
  if (sent > size) throw new Failure('too_large', `The body is larger than the ${size} bytes of the upload`)
  if (sent < size)
    throw new Failure('invalid_request', `The body must have the ${size} bytes of the upload, not ${sent}`)
}

/** The bytes of a request, which must be exactly as many as declared, and come without long pauses. */
async function* bytesOf(request: IncomingMessage, { size }: Upload, idleTimeout: number): AsyncGenerator<Uint8Array> {
  // Leaving the loop must not destroy the request: its socket carries the reply.
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })
  let sent = 0
  try {
    for (;;) {
      const next = await within(chunks.next(), idleTimeout)
      if (next.done) break
      sent += next.value.byteLength
      if (sent > size) requireSize(sent, size)
      yield next.value
    }
    requireSize(sent, size)
  } finally {
    // Not awaited: it waits for bytes that are late.
    void chunks.return?.().catch(() => undefined)
  }
}

async function within<T>(coming: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const failure = () => new Failure('timeout', `No bytes of the upload came for ${milliseconds} ms`)
    timer = setTimeout(() => reject(failure()), milliseconds)
  })
  return Promise.race([coming, late]).finally(() => clearTimeout(timer))
}

interface Exchange {
  request: Request
  response: Response
  next: NextFunction
}

function refuse({ request, response, next }: Exchange, error: unknown): void {
  // The sender disconnected: no reply is possible.
  if (request.errored) return
  const failure = toFailure(error)
  // Who pauses gets no time to send the rest.
  if (failure.code === 'timeout') response.set('connection', 'close')
  if (failure.code === 'internal') next(error)
  else sendFailure(response, failure)
  if (request.complete) return
  setImmediate(() => request.resume())
  const timer = setTimeout(() => request.destroy(), discardTime)
  request.once('close', () => clearTimeout(timer))
}
