import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { discardBody, type Outgoing, OutgoingFailure, type OutgoingReply, type OutgoingRequest } from '@recto/outgoing'

/**
 * Sends a request to a git server. The request refuses compression; a reply that is compressed with gzip anyway is inflated, and `maxBytes`
 * limits the inflated bytes.
 */
export async function requestGit(
  outgoing: Outgoing,
  request: OutgoingRequest & { maxBytes: number },
): Promise<OutgoingReply> {
  const reply = await outgoing.request({
    ...request,
    headers: { ...request.headers, 'accept-encoding': 'identity' },
  })
  const encoding = (reply.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return reply
  const { host } = new URL(reply.url)
  if (encoding === 'gzip' || encoding === 'x-gzip')
    return { ...reply, body: inflate(reply.body, { host, maxBytes: request.maxBytes }) }
  await discardBody(reply)
  throw new OutgoingFailure('encoding', `The host ${host} compresses its replies in a way that nobody asked for`)
}

async function* inflate(
  body: AsyncIterable<Uint8Array>,
  { host, maxBytes }: { host: string; maxBytes: number },
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const source = Readable.from(body, { objectMode: false })
  const transfer = pipeline(source, gunzip)
  transfer.catch(() => undefined)
  let bytes = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new OutgoingFailure('too_large', `The reply of ${host} is over the limit of ${maxBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    throw new OutgoingFailure('encoding', `The host ${host} sent a reply that cannot be decompressed`, { cause: error })
  } finally {
    source.destroy()
  }
}
