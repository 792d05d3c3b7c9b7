import { crawlerName, decodeText, type PagePreview } from '@recto/convert'
import { type OutgoingReply, requestPlain } from '@recto/outgoing'
import { LRUCache } from 'lru-cache'
import { taskRunner } from '../conversions/convert-tools.ts'
import type { Context } from '../shared/context.ts'

type Tools = Pick<Context, 'outgoing' | 'convert'>

/** Largest number of bytes read of a page, whose head is at its start. */
const maxBytes = 512 * 1024
/** Time limit for reading and parsing a page. */
const timeoutMs = 5_000
/** Largest number of cached previews, and their lifetime in milliseconds. */
const cacheLimits = { max: 1_000, ttl: 5 * 60_000 }
/** Largest number of pages that this process reads at the same time; further requests get an empty preview. */
const maxOpenRequests = 32

/** Reads the metadata of pages, and caches it by URL. */
export interface PagePreviews {
  /** Reads the preview of a page. It never rejects: a page that cannot be read has an empty preview. */
  previewOf(url: string, tools: Tools): Promise<PagePreview>
}

/** Creates a cache of previews; concurrent requests for one URL share one read. */
export function createPagePreviews(): PagePreviews {
  let openRequests = 0
  const previews = new LRUCache<string, PagePreview, Tools>({
    ...cacheLimits,
    ignoreFetchAbort: true,
    fetchMethod: async (url, _stale, { context: tools }) => {
      if (openRequests >= maxOpenRequests) return undefined
      openRequests += 1
      try {
        return await readPage(url, tools)
      } catch {
        // The reason is not reported, since it would tell about private servers.
        return {}
      } finally {
        openRequests -= 1
      }
    },
  })
  return {
    previewOf: async (url, tools) => (await previews.fetch(url, { context: tools })) ?? {},
  }
}

async function readPage(url: string, { outgoing, convert }: Tools): Promise<PagePreview> {
  const signal = AbortSignal.timeout(timeoutMs)
  const headers = { 'user-agent': crawlerName, accept: 'text/html' }
  const reply = await requestPlain(outgoing, { url, headers, timeoutMs, maxBytes: Number.MAX_SAFE_INTEGER })
  const bytes = await readStart(reply)
  if (!isHtml(reply)) return {}
  const html = decodeText(bytes, reply.headers['content-type'])
  return taskRunner(convert, signal)('readPreview', { html, base: reply.url })
}

function isHtml({ status, headers }: OutgoingReply): boolean {
  const { 'content-type': type = '' } = headers
  return status === 200 && /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type.trim())
}

/** Reads the start of a reply; the rest is not read. */
async function readStart(reply: OutgoingReply): Promise<Uint8Array> {
  const limit = isHtml(reply) ? maxBytes : 0
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of reply.body) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit)
}
