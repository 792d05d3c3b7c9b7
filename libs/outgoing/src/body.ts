import type { Dispatcher } from 'undici'
import type { Deadline } from './deadline.ts'
import { timedOut, toOutgoingFailure } from './failures.ts'
import { OutgoingFailure } from './outgoing-failure.ts'

interface BodyLimits {
  host: string
  maxBytes: number
  deadline: Deadline
}

/** Streams a body until its end, its size limit (`too_large`) or the deadline (`timeout`); breaking out of the loop closes the connection. */
export function limitedBody(reply: Dispatcher.ResponseData, limits: BodyLimits): AsyncIterable<Uint8Array> {
  const { body, headers } = reply
  body.on('error', limits.deadline.end).on('close', limits.deadline.end)
  if (Number(headers['content-length']) > limits.maxBytes) {
    body.on('error', () => undefined).destroy()
    throw tooLarge(limits)
  }
  return read(body, limits)
}

async function* read(body: Dispatcher.ResponseData['body'], limits: BodyLimits): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > limits.maxBytes) throw tooLarge(limits)
      yield chunk
    }
  } catch (error) {
    throw toBodyFailure(error, limits)
  } finally {
    limits.deadline.end()
  }
}

function toBodyFailure(error: unknown, { host, deadline: { signal } }: BodyLimits): unknown {
  if (error instanceof OutgoingFailure && error.reason === 'too_large') return error
  if (signal.aborted) return signal.reason instanceof OutgoingFailure ? timedOut(host) : signal.reason
  return toOutgoingFailure(error, host)
}

function tooLarge({ host, maxBytes }: BodyLimits): OutgoingFailure {
  return new OutgoingFailure('too_large', `The reply of ${host} is over the limit of ${maxBytes} bytes`)
}
