import { createHmac } from 'node:crypto'
import { createOutgoing, discardBody } from '@recto/outgoing'

const maxReplyBytes = 65_536

/** Has readers purge tags. */
export interface ReaderClient {
  /** The status of the reader's answer, 302 for one from elsewhere; throws `OutgoingFailure` when there is none, and the reason of the signal. */
  purge(reader: string, tags: readonly string[], signal: AbortSignal): Promise<number>
  close(): Promise<void>
}

/** Creates a client of readers at these URLs, which are whoever's runs the installation: only they may be at a private address. */
export function createReaderClient({
  readers,
  secret,
  timeout,
}: {
  readers: readonly string[]
  secret: string
  timeout: number
}): ReaderClient {
  const outgoing = createOutgoing({
    allow: readers.map(hostAndPort).join(','),
    timeoutMs: timeout,
    maxBytes: maxReplyBytes,
  })
  return {
    async purge(reader, tags, signal) {
      const url = new URL(`${reader}/~gitbook/revalidate`).href
      const body = Buffer.from(JSON.stringify({ tags }))
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const reply = await outgoing.request({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gitbook-signature': signature },
        body,
        signal,
      })
      await discardBody(reply)
      return reply.url === url ? reply.status : 302
    },
    close: () => outgoing.close(),
  }
}

/** Host and port of a URL, as the list of exceptions names them. */
export function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}
