import type { Msg } from '@nats-io/transport-node'
import { Failure, errorBody, toFailure, type Operation } from '@recto/operation'
import type { Bus } from './connection.ts'
import { shapeReply } from './parse.ts'
import { failureHeaders, failureOf, header, natsHeaders, stopRequest, unavailableRetryAfter } from './wire.ts'

/** The events of a stream as they leave a service. */
export interface OfferedEvents {
  events: AsyncIterable<Uint8Array>
  /** Milliseconds since the epoch at which the stream ends as `timeout`. */
  deadline: number
  /** Ends the work behind the events: nobody waits for them any more. */
  stop(): void
}

/** Values of the header `Recto-Events`: the stream begins, has no event yet, or is over. */
const mark = { begin: 'begin', wait: 'wait', end: 'end' } as const
/** Sent by the receiver for the next event. */
const nextRequest = 'next'
/** Milliseconds after which the sender answers that there is no event yet. */
const waitTime = 3_000
/** Milliseconds that the receiver waits for that answer. */
const answerTimeout = 10_000
/** Milliseconds that the sender keeps a stream of which no event is requested: the HTTP client may read slowly. */
const idleTimeout = 30_000

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const nothing = new Uint8Array()

/**
 * Shapes each event by the reply of its row, and encodes it as JSON. `return` reaches the events at once, also while one is waited for: a
 * generator would pass it on after that one.
 */
export function encodeEvents(row: Operation, events: AsyncIterable<unknown>): AsyncIterableIterator<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]()
  return {
    async next() {
      const result = await iterator.next()
      if (result.done === true) return { done: true, value: undefined }
      return { done: false, value: encoder.encode(JSON.stringify(shapeReply(row.reply, result.value))) }
    },
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

interface EventReply {
  headers: Record<string, string | undefined>
  events: OfferedEvents
}

/**
 * Responds with a stream of events. The receiver requests each event when it has use for it, so that nothing is kept but the event that is
 * being made. The promise never rejects, and resolves when the stream is over: at its end, a failure, its deadline, or when the receiver
 * stops or asks for nothing any more.
 */
export function offerEvents(bus: Bus, message: Msg, { headers, events: offered }: EventReply): Promise<void> {
  if (!message.reply) {
    offered.stop()
    return Promise.resolve()
  }
  const inbox = bus.inbox()
  const sent = new Promise<void>(resolve => {
    const source = new EventSource(offered)
    const finish = (): void => {
      clearTimeout(idle)
      if (!subscription.isClosed()) subscription.unsubscribe()
      source.close()
      resolve()
    }
    const idle = setTimeout(finish, idleTimeout).unref()
    const subscription = bus.connection.subscribe(inbox, {
      callback: (error, ask) => {
        if (error || ask.string() === stopRequest) return finish()
        idle.refresh()
        void answer(source, ask).then(isOver => isOver && finish(), finish)
      },
    })
    void subscription.closed.then(finish)
  })
  const begin = natsHeaders({ ...headers, [header.events]: mark.begin })
  bus.connection.publish(message.reply, nothing, { headers: begin, reply: inbox })
  return sent
}

/** Answers one request of a receiver; resolves with whether the stream is over. */
async function answer(source: EventSource, ask: Msg): Promise<boolean> {
  try {
    const result = await source.next()
    if (result === undefined) return respond(ask, mark.wait)
    if (result.done === true) return respond(ask, mark.end)
    ask.respond(result.value)
    return false
  } catch (error) {
    const failure = toFailure(error)
    ask.respond(encoder.encode(JSON.stringify(errorBody(failure))), { headers: natsHeaders(failureHeaders(failure)) })
    return true
  }
}

function respond(ask: Msg, value: string): boolean {
  ask.respond(nothing, { headers: natsHeaders({ [header.events]: value }) })
  return value === mark.end
}

/** The events of a stream until its deadline, one at a time. */
class EventSource {
  readonly #offered: OfferedEvents
  readonly #iterator: AsyncIterator<Uint8Array>
  #next: Promise<IteratorResult<Uint8Array, undefined>> | undefined

  constructor(offered: OfferedEvents) {
    this.#offered = offered
    this.#iterator = offered.events[Symbol.asyncIterator]()
  }

  /** The next event; undefined when there is none yet. */
  async next(): Promise<IteratorResult<Uint8Array, undefined> | undefined> {
    const rest = this.#offered.deadline - Date.now()
    this.#next ??= this.#iterator.next() as Promise<IteratorResult<Uint8Array, undefined>>
    const timer = timeLimit(Math.max(0, Math.min(waitTime, rest)))
    try {
      const result = await Promise.race([this.#next, timer.passed])
      if (result) this.#next = undefined
      else if (rest <= waitTime) throw new Failure('timeout', 'The events took too long')
      return result
    } finally {
      timer.end()
    }
  }

  close(): void {
    this.#offered.stop()
    // Whatever is still in progress ends by the signal; its outcome is of no use any more.
    this.#next?.catch(() => undefined)
    this.#iterator.return?.().catch(() => undefined)
  }
}

function timeLimit(ms: number): { passed: Promise<undefined>; end(): void } {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms).unref()
  })
  return { passed, end: () => clearTimeout(timer) }
}

/** Whether a reply begins a stream of events. */
export function isEventReply(message: Msg): boolean {
  return message.headers?.get(header.events) === mark.begin && Boolean(message.reply)
}

/** Reads a stream of events; each is requested when it is read, and an empty one says that there is none yet. `return` ends the stream also while an event is waited for. */
export function readEvents(bus: Bus, first: Msg): AsyncIterableIterator<Uint8Array> {
  const inbox = first.reply ?? ''
  let isOver = false
  const stop = (): void => {
    const { connection } = bus
    if (!isOver && !connection.isClosed() && !connection.isDraining()) connection.publish(inbox, stopRequest)
    isOver = true
  }
  const over = { done: true as const, value: undefined }
  return {
    async next() {
      while (!isOver) {
        const message = await requestEvent(bus, inbox).catch((error: unknown) => {
          stop()
          throw error
        })
        const kind = message.headers?.get(header.events)
        if (kind === mark.wait && !isOver) return { done: false, value: nothing }
        const isFailure = Boolean(message.headers?.get(header.code))
        if (!isFailure && !kind) return isOver ? over : { done: false, value: message.data }
        isOver = true
        if (message.headers && isFailure) throw failureOf(message.headers, message.data)
      }
      return over
    },
    return() {
      stop()
      return Promise.resolve(over)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

async function requestEvent(bus: Bus, inbox: string): Promise<Msg> {
  try {
    return await bus.request(inbox, nextRequest, { timeout: answerTimeout })
  } catch (cause) {
    const message = 'The rest of the reply did not arrive'
    throw new Failure('unavailable', message, { cause, retryAfter: unavailableRetryAfter })
  }
}

/** Whether a stream has no event yet. */
export function isIdle(event: Uint8Array): boolean {
  return event.byteLength === 0
}

/** The next event of a stream, or its end: waits while there is none yet. */
export async function nextEvent(events: AsyncIterableIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  let result = await events.next()
  while (result.done !== true && isIdle(result.value)) result = await events.next()
  return result
}

/** The events of a stream, parsed as JSON. */
export function parsedEvents(events: AsyncIterableIterator<Uint8Array>): AsyncIterableIterator<unknown> {
  return {
    async next() {
      const result = await nextEvent(events)
      return result.done === true ? result : { done: false, value: JSON.parse(decoder.decode(result.value)) as unknown }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
