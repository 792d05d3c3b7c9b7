import fresh from 'fresh'
import { pipeline } from 'node:stream/promises'
import {
  contentDisposition,
  verifyDownload,
  type BlobStore,
  type ByteRange,
  type Download,
  type DownloadFault,
} from '@recto/blobs'
import { sendFailure } from '@recto/http'
import { Failure, type Secrets, toFailure } from '@recto/operation'
import type { Express, Request, Response } from 'express'
import type { Closings } from './closings.ts'
import { downloadAccess, downloadLifetimeOf } from './download-access.rules.ts'

interface Downloads {
  blobs: BlobStore
  secret: Secrets
  closings: Pick<Closings, 'isClosed' | 'areKnown' | 'ready'>
}

const expired = () => new Failure('forbidden', 'This download link has expired; read the file again for a new one')
const faults: Record<DownloadFault, () => Failure> = {
  malformed: () => new Failure('not_found', 'There is no such download'),
  forged: () => new Failure('not_found', 'There is no such download'),
  expired,
}
/** No script of a file runs, whatever it is: SVG can have some. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Mounts `/files/<token>/<name>`: the signed link is the permission, so no access token is needed; the bytes are immutable. A visitor's link ends with its site. */
export function mountDownloads(app: Express, downloads: Downloads): void {
  app.get('/files/:token/:name', (request, response) =>
    download(downloads, request, response).catch((error: unknown) => sendFailure(response, toFailure(error))),
  )
}

async function download(downloads: Downloads, request: Request, response: Response): Promise<void> {
  const { blobs } = downloads
  const file = await openDownload(downloads, request.originalUrl)
  const disposition = contentDisposition(file.name, file.contentType)
  const lifetime = downloadLifetimeOf(file.issuedFor)
  const presigned = isFont(file)
    ? undefined
    : await blobs.presign(file.hash, {
        expiresAt: new Date(Date.now() + lifetime.redirect),
        cacheControl: lifetime.redirectCacheControl,
        contentType: file.contentType,
        disposition,
      })
  if (presigned) return response.set('cache-control', 'private, no-store').redirect(302, presigned)
  const tag = `"${file.hash}"`
  response.set(headersOf(file, { tag, disposition }))
  // `Cache-Control` of the request does not matter, as the bytes never change.
  if (fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag: tag }))
    return void response.status(304).end()
  const size = await blobs.size(file.hash)
  const range = wantedRange(request, { size, tag })
  if (range === 'unsatisfiable') return void response.status(416).set('content-range', `bytes */${size}`).end()
  if (range) response.status(206).set('content-range', `bytes ${range.start}-${range.end}/${size}`)
  response.set('content-length', String(range ? range.end - range.start + 1 : size))
  if (request.method === 'HEAD') return void response.end()
  const { body } = await blobs.get(file.hash, range)
  await pipeline(body, response).catch((error: unknown) => {
    if (!response.destroyed) throw error
  })
}

/** A page loads fonts from where its policy says, and a browser only from who allows its origin: the store of blobs is neither. */
const isFont = ({ contentType }: Download) => contentType.startsWith('font/')

/** Finds the download of a signed link; throws for one that has ended, or of which that is not known. */
async function openDownload({ secret, closings }: Downloads, path: string): Promise<Download> {
  const file = verifyDownload({ secret, now: new Date() }, path)
  if (typeof file === 'string') throw faults[file]()
  if (file.issuedFor !== undefined) await closings.ready
  const access = downloadAccess(file.issuedFor, closings)
  if (access === 'ended') throw expired()
  if (access === 'unknown')
    throw new Failure('unavailable', 'Whether this download has ended is not known at the moment')
  return file
}

/** The one range that a request asks for (RFC 9110, 14); undefined when it gets everything: without range, for several, or for another version. */
function wantedRange(
  request: Request,
  { size, tag }: { size: number; tag: string },
): ByteRange | 'unsatisfiable' | undefined {
  const version = request.headers['if-range']
  const isOther = version !== undefined && version !== tag
  if (request.method !== 'GET' || isOther) return undefined
  const [, last] = /^bytes=-(\d{1,15})$/.exec(request.headers.range ?? '') ?? []
  // More than there is, from the end: everything. The parser of Express takes it for unsatisfiable.
  if (size > 0 && Number(last) > size) return { start: 0, end: size - 1 }
  const ranges = request.range(size, { combine: true })
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

function headersOf(
  { contentType, issuedFor }: Download,
  { tag, disposition }: { tag: string; disposition: string },
): Record<string, string> {
  return {
    etag: tag,
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'content-disposition': disposition,
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': downloadLifetimeOf(issuedFor).cacheControl,
    'x-content-type-options': 'nosniff',
  }
}
