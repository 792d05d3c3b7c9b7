import { crawlerName, decodeText, type PagePreview } from '@recto/convert'
import { type OutgoingReply, requestPlain } from '@recto/outgoing'
import { LRUCache } from 'lru-cache'
import { taskRunner } from '../conversions/convert-tools.ts'
import type { Context } from '../shared/context.ts'

type Tools = Pick<Context, 'outgoing' | 'convert'>

/** Bytes of a page that are read, as its head is at its start, and milliseconds for reading and parsing it. */
const [readBytes, timeoutMs] = [512 * 1024, 5_000]
/** Previews that are kept, and milliseconds for which they are. */
const kept = { max: 1_000, ttl: 5 * 60_000 }
/** Pages that this process reads at a time; what comes beyond gets no preview. */
const maxOpen = 32

/** Reads what pages say about themselves, and remembers it by URL. */
export interface PagePreviews {
  /** Never rejects: a page that cannot be read has an empty preview. */
  previewOf(url: string, tools: Tools): Promise<PagePreview>
}

/** Opens a cache of previews; requests for one URL at a time share its preview. */
export function createPagePreviews(): PagePreviews {
  const known = new LRUCache<string, PagePreview>(kept)
  const open = new Map<string, Promise<PagePreview>>()
  return {
    async previewOf(url, tools) {
      const found = known.get(url) ?? open.get(url)
      if (found) return found
      if (open.size >= maxOpen) return {}
      const reading = readPage(url, tools)
        // Why a page cannot be read is nobody's business: the reason would tell about private servers.
        .catch((): PagePreview => ({}))
        .finally(() => open.delete(url))
      open.set(url, reading)
      const preview = await reading
      known.set(url, preview)
      return preview
    },
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
