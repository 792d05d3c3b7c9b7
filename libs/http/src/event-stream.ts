import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { eventStream } from '@recto/operation'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/**
 * Sends events as the WHATWG HTML standard has them, each when the client has read those before it. The failure of the first event is
 * thrown before anything is sent; a later one breaks the connection, since a client would take its end for that of the stream. A client that
 * disconnects ends the events at once.
 */
export async function sendEvents(
  { request, response }: Exchange,
  events: AsyncIterableIterator<Uint8Array>,
): Promise<void> {
  const stop = (): void => void events.return?.()
  response.once('close', stop)
  try {
    if (response.destroyed) return
    let result = await events.next()
    if (response.destroyed) return
    response.writeHead(200, {
      'content-type': `${eventStream}; charset=utf-8`,
      'cache-control': 'no-store',
      // Proxies would collect the events otherwise.
      'x-accel-buffering': 'no',
    })
    for (; request.method !== 'HEAD' && result.done !== true; result = await events.next())
      await write(response, `data: ${Buffer.from(result.value).toString()}\n\n`)
    response.end()
  } finally {
    response.off('close', stop)
    stop()
  }
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return
  const ended = new AbortController()
  const end = (): void => ended.abort()
  response.once('close', end)
  await once(response, 'drain', { signal: ended.signal }).catch(() => undefined)
  response.off('close', end)
}
