import fresh from 'fresh'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { PageResponse } from '../responses/page-response.ts'
import type { PageText } from '../responses/page-text.ts'
import { contentSecurityPolicy } from '../responses/security.rules.ts'
import type { PageRequest } from './page-request.ts'

/** Stands for the nonce in pages that are kept; nobody outside of the process knows it. */
export const noncePlaceholder = randomUUID()

/** A request for a page, and whether an edge keeps the answer. */
interface PolicyRequest {
  pageRequest: Pick<PageRequest, 'headers' | 'protocol' | 'host' | 'acceptsGzip'>
  isKept: boolean
  /** The path of the folder of the reader's own files. */
  assets: string
}

/**
 * Gives each page scripts and styles that only this answer may have; a page that the browser has stays as it is, with its own policy. A nonce
 * that an edge keeps would be known to everybody: there, inline scripts and styles are those of their hashes, and others those of the reader.
 */
export function withPolicy({ page, ...answer }: PageResponse, request: PolicyRequest): PageResponse {
  const { headers, acceptsGzip } = request.pageRequest
  const tag = answer.headers.etag
  if (tag !== undefined && answer.status === 200 && fresh({ 'if-none-match': headers['if-none-match'] }, { etag: tag }))
    return { ...answer, status: 304, body: null }
  const isHtml = typeof answer.body === 'string' && answer.headers['content-type']?.startsWith('text/html') === true
  // The frames of diagrams have a policy of their own.
  if ((!page && !isHtml) || answer.headers['content-security-policy'] !== undefined) return answer
  const nonce = request.isKept ? '' : randomBytes(16).toString('base64')
  const policy = policyOf(page ?? (answer.body as string), { ...request, nonce })
  const withIt = { ...answer, headers: { ...answer.headers, 'content-security-policy': policy } }
  if (!page) return { ...withIt, body: (answer.body as string).replaceAll(noncePlaceholder, nonce) }
  if (!acceptsGzip) return { ...withIt, body: page.plain(nonce) }
  return { ...withIt, headers: { ...withIt.headers, 'content-encoding': 'gzip' }, body: page.gzip(nonce) }
}

function policyOf(html: PageText | string, { pageRequest, isKept, assets, nonce }: PolicyRequest & { nonce: string }) {
  const { protocol, host } = pageRequest
  const isSecure = protocol === 'https'
  if (!isKept) return contentSecurityPolicy({ scripts: [`'nonce-${nonce}'`], styles: [`'nonce-${nonce}'`], isSecure })
  const { scripts, styles } = typeof html === 'string' ? inlineHashes(html) : hashesOf(html)
  return contentSecurityPolicy({ scripts: [...scripts, `${host}${assets}`], styles, isSecure })
}

interface Hashes {
  scripts: string[]
  styles: string[]
}

const knownHashes = new WeakMap<PageText, Hashes>()

function hashesOf(page: PageText): Hashes {
  const hashes = knownHashes.get(page) ?? inlineHashes(Buffer.concat(page.plain(noncePlaceholder)).toString())
  knownHashes.set(page, hashes)
  return hashes
}

const ownElement = new RegExp(`<(script|style)\\b([^>]*) nonce="${noncePlaceholder}"([^>]*)>([^]*?)</\\1>`, 'g')

/** The hashes of scripts and styles that stand in a page: of those with the placeholder, which nobody but the reader can write. */
export function inlineHashes(html: string): Hashes {
  const hashes: Hashes = { scripts: [], styles: [] }
  for (const [, element, before = '', after = '', text = ''] of html.matchAll(ownElement)) {
    // A file has an address, and data runs nothing.
    if (/\bsrc=|application\/ld\+json/.test(before + after)) continue
    const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    hashes[element === 'script' ? 'scripts' : 'styles'].push(hash)
  }
  return hashes
}
