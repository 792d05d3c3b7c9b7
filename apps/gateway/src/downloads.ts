import { pipeline } from 'node:stream/promises'
import { contentDisposition, verifyDownload, type BlobStore, type Download, type DownloadFault } from '@recto/blobs'
import { sendFailure } from '@recto/http'
import { Failure, toFailure } from '@recto/operation'
import type { Express, Request, Response } from 'express'

interface Downloads {
  blobs: BlobStore
  secret: string
}

const faults: Record<DownloadFault, () => Failure> = {
  malformed: () => new Failure('not_found', 'There is no such download'),
  forged: () => new Failure('not_found', 'There is no such download'),
  expired: () => new Failure('forbidden', 'This download link has expired; read the file again for a new one'),
}
/** Milliseconds a presigned URL is valid after the redirect to it. */
const redirectLifetime = 60_000
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Mounts `/files/<token>/<name>`: the signed link is the permission, so no access token is needed; the bytes are immutable. */
export function mountDownloads(app: Express, downloads: Downloads): void {
  app.get('/files/:token/:name', (request, response) =>
    download(downloads, request, response).catch((error: unknown) => sendFailure(response, toFailure(error))),
  )
}

async function download({ blobs, secret }: Downloads, request: Request, response: Response): Promise<void> {
  const file = verifyDownload({ secret, now: new Date() }, request.originalUrl)
  if (typeof file === 'string') throw faults[file]()
  const disposition = contentDisposition(file.name, file.contentType)
  const presigned = await blobs.presign(file.hash, {
    expiresAt: new Date(Date.now() + redirectLifetime),
    contentType: file.contentType,
    disposition,
  })
  if (presigned) return response.set('cache-control', 'private, no-store').redirect(302, presigned)
  const tag = `"${file.hash}"`
  response.set(headersOf(file, { tag, disposition }))
  if (request.headers['if-none-match']?.includes(tag)) return void response.status(304).end()
  const { size, body } = await blobs.get(file.hash)
  response.set('content-length', String(size))
  if (request.method === 'HEAD') return void (body.destroy(), response.end())
  await pipeline(body, response).catch((error: unknown) => {
    if (!response.destroyed) throw error
  })
}

function headersOf(
  { contentType }: Download,
  { tag, disposition }: { tag: string; disposition: string },
): Record<string, string> {
  return {
    etag: tag,
    'content-type': contentType,
    'content-disposition': disposition,
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'private, max-age=3600, immutable',
    'x-content-type-options': 'nosniff',
  }
}
