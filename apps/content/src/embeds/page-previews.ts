import { crawlerName, decodeText, type PagePreview } from '@recto/convert'
import { type OutgoingReply, requestPlain } from '@recto/outgoing'
import { LRUCache } from 'lru-cache'
import { taskRunner } from '../conversions/convert-tools.ts'
import type { Context } from '../shared/context.ts'

type Tools = Pick<Context, 'outgoing' | 'convert'>

/** Bytes of a page that are read, as its head is at its start. */
const readBytes = 512 * 1024
/** Time for reading and parsing a page. */
const timeoutMs = 5_000
/** How many previews the cache has, and for how many milliseconds. */
const cacheLimits = { max: 1_000, ttl: 5 * 60_000 }
/** Pages that this process reads at a time; what comes beyond gets no preview. */
const maxOpen = 32

/** Reads what pages say about themselves, and remembers it by URL. */
export interface PagePreviews {
  /** Never rejects: a page that cannot be read has an empty preview. */
  previewOf(url: string, tools: Tools): Promise<PagePreview>
}

/** Opens a cache of previews; requests for one URL at a time share its preview. */
export function createPagePreviews(): PagePreviews {
  let openRequests = 0
  const previews = new LRUCache<string, PagePreview, Tools>({
    ...cacheLimits,
    ignoreFetchAbort: true,
    fetchMethod: async (url, _stale, { context: tools }) => {
      if (openRequests >= maxOpen) return undefined
      openRequests += 1
      try {
        return await readPage(url, tools)
      } catch {
        // Why a page cannot be read is nobody's business: the reason would tell about private servers.
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
  const bytes = await startOf(reply)
  if (!isHtml(reply)) return {}
  const html = decodeText(bytes, reply.headers['content-type'])
  return taskRunner(convert, signal)('readPreview', { html, base: reply.url })
}

function isHtml({ status, headers }: OutgoingReply): boolean {
  const { 'content-type': type = '' } = headers
  return status === 200 && /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type.trim())
}

/** The start of a reply; its rest is not read. */
async function startOf(reply: OutgoingReply): Promise<Uint8Array> {
  const limit = isHtml(reply) ? readBytes : 0
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of reply.body) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit)
}
