import { setTimeout as sleep } from 'node:timers/promises'
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import { runInContext, withSpan } from '@recto/telemetry'
import type { Bus } from './connection.ts'
import { ensureConsumer, type ConsumerSettings } from './streams.ts'

/** One delivery of a stored message. */
export interface Delivery {
  /** `Nats-Msg-Id`: the id of the outbox row. */
  id: string
  subject: string
  payload: unknown
  /** Starts at 1. */
  delivery: number
  /** The message is not delivered again after this. */
  last: boolean
}

/** What becomes of a message: done with, or wanted again after some milliseconds. */
export type Outcome = 'done' | { retryIn: number }

interface Log {
  error(details: object, message: string): void
  warn(details: object, message: string): void
}

/** Takes messages one service is responsible for. */
export interface Consuming extends ConsumerSettings {
  handle(delivery: Delivery): Promise<Outcome>
  /** Called when a message failed at its last delivery, before it is dropped. */
  dead(delivery: Delivery, error: unknown): Promise<void>
  log: Log
}

/** Consumes durably until stopped: explicit acknowledgement, heartbeat while working, redelivery with back-off, and a stream that was deleted is made again. */
export function consume(bus: Bus, consuming: Consuming): { stop(): Promise<void> } {
  const state: { stopped: boolean; messages?: ConsumerMessages } = { stopped: false }
  const inFlight = new Set<Promise<void>>()
  const loop = run(bus, consuming, { state, inFlight })
  return {
    stop: async () => {
      state.stopped = true
      state.messages?.stop()
      await loop
      await Promise.all(inFlight)
    },
  }
}

interface Running {
  state: { stopped: boolean; messages?: ConsumerMessages }
  inFlight: Set<Promise<void>>
}

async function run(bus: Bus, consuming: Consuming, running: Running): Promise<void> {
  while (!running.state.stopped && !bus.connection.isClosed()) {
    try {
      await ensureConsumer(bus, consuming)
      await take(bus, consuming, running)
    } catch (error) {
      if (!running.state.stopped) consuming.log.warn({ err: error, stream: consuming.stream }, 'consumer interrupted, starting again')
    }
    if (!running.state.stopped) await sleep(500)
  }
}

async function take(bus: Bus, consuming: Consuming, { state, inFlight }: Running): Promise<void> {
  const consumer = await bus.jetstream.consumers.get(consuming.stream, bus.service)
  const messages = await consumer.consume({ max_messages: consuming.maxInFlight, idle_heartbeat: 2_000, expires: 10_000 })
  state.messages = messages
  if (state.stopped) messages.stop()
  void stopWhenGone(messages)
  for await (const message of messages) {
    const work = settle(consuming, message).finally(() => inFlight.delete(work))
    inFlight.add(work)
  }
}

async function stopWhenGone(messages: ConsumerMessages): Promise<void> {
  const gone = ['consumer_deleted', 'consumer_not_found', 'stream_not_found', 'heartbeats_missed', 'no_responders']
  for await (const status of messages.status()) if (gone.includes(status.type)) return messages.stop()
}

async function settle(consuming: Consuming, message: JsMsg): Promise<void> {
  const delivery = describe(consuming, message)
  const heartbeat = setInterval(() => message.working(), consuming.ackWait / 3)
  try {
    const work = () => withSpan(message.subject, { kind: 'consumer' }, () => consuming.handle(delivery))
    const outcome = await runInContext({ requestId: delivery.id, operationId: message.subject }, work)
    if (outcome === 'done') await message.ackAck()
    else message.nak(outcome.retryIn)
  } catch (error) {
    await refuse(consuming, { message, delivery, error })
  } finally {
    clearInterval(heartbeat)
  }
}

async function refuse(consuming: Consuming, { message, delivery, error }: { message: JsMsg; delivery: Delivery; error: unknown }): Promise<void> {
  consuming.log.warn({ err: error, subject: delivery.subject, id: delivery.id, delivery: delivery.delivery }, 'message failed')
  if (!delivery.last) return message.nak(Math.min(30_000, 500 * 2 ** delivery.delivery))
  try {
    await consuming.dead(delivery, error)
  } catch (failed) {
    consuming.log.error({ err: failed, subject: delivery.subject, id: delivery.id }, 'dead letter could not be recorded')
  }
  message.term('failed at its last delivery')
}

function describe(consuming: Consuming, message: JsMsg): Delivery {
  const delivery = message.info.deliveryCount
  return {
    id: message.headers?.get('Nats-Msg-Id') ?? `${message.info.stream}:${message.seq}`,
    subject: message.subject,
    payload: message.json(),
    delivery,
    last: delivery >= consuming.maxDeliver,
  }
}
