import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ConvertTools, crawlerName } from '@recto/convert'
import { createId, Failure } from '@recto/operation'
import { discardBody, type Outgoing, requestPlain } from '@recto/outgoing'

/** Returns the functions by which conversions fetch from the web, through the client for foreign URLs. */
export function sourceReader(
  outgoing: Outgoing,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Pick<ConvertTools, 'fetch' | 'download'> {
  const request = (url: string, maxBytes: number) =>
    requestPlain(outgoing, {
      url,
      signal,
      maxBytes: Math.max(0, maxBytes),
      headers: { 'user-agent': crawlerName },
    })
  return {
    async fetch(url, { maxBytes }) {
      const { status, headers, url: final, body } = await request(url, maxBytes)
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      return { status, url: final, contentType: headers['content-type'] ?? '', bytes: Buffer.concat(chunks) }
    },
    async download(url, { maxBytes }) {
      const reply = await request(url, maxBytes)
      if (reply.status !== 200) {
        await discardBody(reply)
        throw new Failure('invalid_request', `The server ${new URL(url).host} answered ${reply.status}`)
      }
      const path = join(folder, createId())
      await pipeline(reply.body, createWriteStream(path))
      return path
    },
  }
}
