import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { Failure } from '@recto/operation'
import type { Bus } from './connection.ts'
import { header, natsHeaders } from './wire.ts'

/** Room left in a message for headers. */
const headroom = 16 * 1024
const largestChunk = 512 * 1024
/** How many chunks the receiver asks for ahead of what it has read: the window of the flow control. */
const window = 2
/** How long the sender keeps the rest when the receiver stops asking, milliseconds. */
const patience = 15_000

/** A reply as it leaves a service. */
export interface WireReply {
  headers: Record<string, string | undefined>
  body: Uint8Array
}

/** Bytes that fit in one chunk on this connection. */
export function chunkSize(connection: NatsConnection): number {
  return Math.min(largestChunk, (connection.info?.max_payload ?? 1_048_576) - headroom)
}

/**
 * Answers a request with a body of any size. What does not fit in one message stays here, numbered in chunks, and the
 * receiver asks for each on a reply subject of ours, so that a slow reader slows the sender and fills no buffer of the bus.
 */
export function respondInChunks({ connection, inbox: newInbox }: Bus, message: Msg, reply: WireReply): void {
  const size = chunkSize(connection)
  if (reply.body.byteLength <= size) {
    message.respond(reply.body, { headers: natsHeaders(reply.headers) })
    return
  }
  const inbox = newInbox()
  const last = Math.ceil(reply.body.byteLength / size) - 1
  const subscription = connection.subscribe(inbox, {
    callback: (error, ask) => {
      if (error) return
      timer.refresh()
      const number = Number(ask.string())
      ask.respond(reply.body.subarray(number * size, (number + 1) * size), { headers: natsHeaders({ [header.chunk]: String(number) }) })
      if (number === last) setImmediate(stop)
    },
  })
  const stop = (): void => {
    clearTimeout(timer)
    if (!subscription.isClosed()) subscription.unsubscribe()
  }
  const timer = setTimeout(stop, patience).unref()
  const headers = natsHeaders({ ...reply.headers, [header.size]: String(reply.body.byteLength), [header.chunk]: '0' })
  connection.publish(message.reply ?? '', reply.body.subarray(0, size), { headers, reply: inbox })
}

/** Whether a reply is the first of several chunks. */
export function isChunked(message: Msg): boolean {
  return Boolean(message.headers?.get(header.size)) && Boolean(message.reply)
}

/** The whole body of a chunked reply as a stream; each chunk is asked for while the one before is being read. Throws `unavailable` when the sender is gone. */
export async function* readChunks(connection: NatsConnection, first: Msg): AsyncGenerator<Uint8Array> {
  const total = Number(first.headers?.get(header.size))
  const size = first.data.byteLength
  const count = Math.ceil(total / size)
  const asked: Promise<Uint8Array>[] = []
  const ask = (number: number): void => {
    if (number >= count) return
    const chunk = askFor(connection, first.reply ?? '', number)
    // A reader that stops early leaves chunks unread; their failure is nobody's.
    chunk.catch(() => undefined)
    asked.push(chunk)
  }
  for (let number = 1; number <= window; number += 1) ask(number)
  yield first.data
  for (let number = 1; number < count; number += 1) {
    const chunk = await asked.shift()
    ask(number + window)
    if (chunk) yield chunk
  }
}

async function askFor(connection: NatsConnection, subject: string, number: number): Promise<Uint8Array> {
  try {
    const reply = await connection.request(subject, String(number), { timeout: 5_000 })
    return reply.data
  } catch (cause) {
    throw new Failure('unavailable', 'The rest of the reply did not arrive', { cause })
  }
}
