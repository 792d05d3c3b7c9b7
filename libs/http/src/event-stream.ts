import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIdle, nextEvent } from '@recto/bus'
import { eventStream } from '@recto/operation'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/**
 * Sends events as the WHATWG HTML standard has them, each when the client has read those before it. The failure of the first event is
 * thrown before anything is sent; a later one breaks the connection, since a client would take its end for that of the stream. A client that
 * disconnects ends the events at once. A stream whose events have an id in the field `eventId` can be idle: it begins without an event, and
 * comments keep proxies from ending it.
 */
export async function sendEvents(
  { request, response }: Exchange,
  events: AsyncIterableIterator<Uint8Array>,
  eventId?: string,
): Promise<void> {
  const stop = (): void => void events.return?.()
  response.once('close', stop)
  const next = () => (eventId === undefined ? nextEvent(events) : events.next())
  try {
    if (response.destroyed) return
    let result = await next()
    if (response.destroyed) return
    response.writeHead(200, {
      'content-type': `${eventStream}; charset=utf-8`,
      'cache-control': 'no-store',
      // Proxies would collect the events otherwise.
      'x-accel-buffering': 'no',
    })
    for (; request.method !== 'HEAD' && result.done !== true; result = await next())
      await write(response, isIdle(result.value) ? ':\n\n' : textOf(Buffer.from(result.value).toString(), eventId))
    response.end()
  } finally {
    response.off('close', stop)
    stop()
  }
}

function textOf(json: string, eventId: string | undefined): string {
  const id = eventId === undefined ? '' : `id: ${String((JSON.parse(json) as Record<string, unknown>)[eventId])}\n`
  return `${id}data: ${json}\n\n`
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return
  const ended = new AbortController()
  const end = (): void => ended.abort()
  response.once('close', end)
  await once(response, 'drain', { signal: ended.signal }).catch(() => undefined)
  response.off('close', end)
}
