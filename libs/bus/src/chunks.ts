import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { Failure } from '@recto/operation'
import type { Bus } from './connection.ts'
import { offerEvents, type OfferedEvents } from './events.ts'
import { header, natsHeaders, stopRequest, unavailableRetryAfter } from './wire.ts'

/** Bytes reserved in a message for headers. */
const headroom = 16 * 1024
const maxChunkBytes = 512 * 1024
/** Chunks that the receiver requests ahead of the one it reads: the window of the flow control. */
const prefetchWindow = 2
/** Milliseconds the sender keeps the body while no chunk is requested: the HTTP client may read slowly. */
const idleTimeout = 30_000

/** A reply as it leaves a service. */
export interface WireReply {
  headers: Record<string, string | undefined>
  body: Uint8Array
  /** The events of a stream, which follow this reply one by one as the receiver asks for them. */
  events?: OfferedEvents
}

/** Bytes that fit in one chunk on this connection. */
export function chunkSize(connection: NatsConnection): number {
  return Math.min(maxChunkBytes, (connection.info?.max_payload ?? 1_048_576) - headroom)
}

/**
 * Responds with a body of any size. A body larger than one message stays in this process, split into numbered chunks that
 * the receiver requests one by one, so that a slow reader slows the sender and fills no buffer of the bus. The promise
 * never rejects, and resolves when the last chunk is sent or the transfer ends; undefined when nothing is left to send.
 */
export function respondInChunks(bus: Bus, message: Msg, reply: WireReply): Promise<void> | undefined {
  if (reply.events) return offerEvents(bus, message, { headers: reply.headers, events: reply.events })
  const size = chunkSize(bus.connection)
  if (reply.body.byteLength <= size) {
    const hasHeaders = Object.values(reply.headers).some(value => value !== undefined)
    message.respond(reply.body, hasHeaders ? { headers: natsHeaders(reply.headers) } : undefined)
    return undefined
  }
  if (!message.reply) return undefined
  const { inbox, sent } = offerChunks(bus, reply.body, size)
  const headers = natsHeaders({
    ...reply.headers,
    [header.contentLength]: String(reply.body.byteLength),
    [header.chunk]: '0',
  })
  bus.connection.publish(message.reply, reply.body.subarray(0, size), { headers, reply: inbox })
  return sent
}

/** Serves the chunks of a body on a new inbox, until the last one is sent, the receiver stops, or `idleTimeout` passes. */
function offerChunks(
  { connection, inbox: newInbox }: Bus,
  body: Uint8Array,
  size: number,
): { inbox: string; sent: Promise<void> } {
  const inbox = newInbox()
  const last = Math.ceil(body.byteLength / size) - 1
  const sent = new Promise<void>(resolve => {
    const stop = (): void => {
      clearTimeout(timer)
      if (!subscription.isClosed()) subscription.unsubscribe()
      resolve()
    }
    const timer = setTimeout(stop, idleTimeout).unref()
    const subscription = connection.subscribe(inbox, {
      callback: (error, ask) => {
        if (error || ask.string() === stopRequest) return stop()
        timer.refresh()
        const number = Number(ask.string())
        ask.respond(body.subarray(number * size, (number + 1) * size), {
          headers: natsHeaders({ [header.chunk]: String(number) }),
        })
        if (number === last) stop()
      },
    })
    void subscription.closed.then(stop)
  })
  return { inbox, sent }
}

/** Whether a reply is the first of several chunks. */
export function isChunked(message: Msg): boolean {
  return Boolean(message.headers?.get(header.contentLength)) && Boolean(message.reply)
}

/** Streams the whole body of a chunked reply, requesting `prefetchWindow` chunks ahead. Throws `unavailable` when the sender is gone. */
export async function* readChunks(bus: Bus, first: Msg): AsyncGenerator<Uint8Array> {
  const total = Number(first.headers?.get(header.contentLength))
  const size = first.data.byteLength
  const count = Math.ceil(total / size)
  const requested: Promise<Uint8Array>[] = []
  const request = (number: number): void => {
    if (number >= count) return
    const chunk = requestChunk(bus, first.reply ?? '', { number, bytes: Math.min(size, total - number * size) })
    // A reader that stops early leaves requests pending; their rejection is handled here.
    chunk.catch(() => undefined)
    requested.push(chunk)
  }
  try {
    yield first.data
    for (let number = 1; number <= prefetchWindow; number += 1) request(number)
    for (let number = 1; number < count; number += 1) {
      const chunk = await requested.shift()
      request(number + prefetchWindow)
      if (chunk) yield chunk
    }
  } finally {
    if (!bus.connection.isClosed()) bus.connection.publish(first.reply ?? '', stopRequest)
  }
}

async function requestChunk(
  bus: Bus,
  subject: string,
  { number, bytes }: { number: number; bytes: number },
): Promise<Uint8Array> {
  try {
    const reply = await bus.request(subject, String(number), { timeout: 5_000 })
    if (reply.data.byteLength === bytes) return reply.data
  } catch (cause) {
    throw new Failure('unavailable', 'The rest of the reply did not arrive', {
      cause,
      retryAfter: unavailableRetryAfter,
    })
  }
  throw new Failure('internal', 'A chunk of the reply has the wrong size')
}
