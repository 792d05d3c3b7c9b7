import { setTimeout as sleep } from 'node:timers/promises'
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import { Failure } from '@recto/operation'
import { runInContext, withSpan } from '@recto/telemetry'
import type { Bus } from './connection.ts'
import { messagingAttributes } from './messaging.ts'
import { watchStall } from './stall.ts'
import { ensureConsumer, recreateLostStream, type ConsumerSettings } from './streams.ts'
import { header, parseJson } from './wire.ts'

/** Milliseconds. */
const maxBackOff = 30_000
const pull = { idle_heartbeat: 5_000, expires: 30_000 }

/** One delivery of a stored message. */
export interface Delivery {
  /** The id of the outbox row, however often it was dispatched. */
  id: string
  subject: string
  /** Undefined when the message is not JSON. */
  payload: unknown
  /** Starts at 1. */
  delivery: number
  /** True for the last delivery: after a failure the message is dead-lettered. */
  last: boolean
}

/** The outcome of handling a message: acknowledged, or redelivered after some milliseconds. */
export type Outcome = 'done' | { retryIn: number }

interface Log {
  error(details: object, message: string): void
  warn(details: object, message: string): void
}

/** A durable consumer of one service and its handlers. */
export interface Consuming extends ConsumerSettings {
  handle(delivery: Delivery): Promise<Outcome>
  /** Called when a message failed at its last delivery, before it is dropped. */
  deadLettered(delivery: Delivery, error: unknown): Promise<void>
  log: Log
  /** Messages handled concurrently in this process, which pulls no more than it can start; `maxInFlight` unless given. */
  concurrency?: number | undefined
}

/**
 * Consumes a stream durably until stopped: explicit acknowledgement, extended ack deadline while a handler runs, redelivery with
 * exponential back-off. A stream or consumer that was deleted is recreated.
 */
export function consume(bus: Bus, consuming: Consuming): { stop(): Promise<void> } {
  const state: { stopped: boolean; messages?: ConsumerMessages } = { stopped: false }
  const inFlight = new Set<Promise<void>>()
  const stall = watchStall(bus, consuming)
  const loop = run(bus, consuming, { state, inFlight })
  return {
    stop: async () => {
      state.stopped = true
      stall.stop()
      state.messages?.stop()
      await loop
      await Promise.all(inFlight)
    },
  }
}

interface ConsumerState {
  state: { stopped: boolean; messages?: ConsumerMessages }
  inFlight: Set<Promise<void>>
}

async function run(bus: Bus, consuming: Consuming, running: ConsumerState): Promise<void> {
  while (!running.state.stopped && !bus.connection.isClosed()) {
    try {
      await ensureConsumer(bus, consuming)
      await pullMessages(bus, consuming, running)
    } catch (error) {
      if (!running.state.stopped) await recover(bus, consuming, error)
    }
    if (!running.state.stopped) await sleep(500)
  }
}

async function recover(bus: Bus, { log, stream }: Consuming, error: unknown): Promise<void> {
  const recreated = await recreateLostStream(bus, stream, error).catch(() => false)
  log.warn(
    { err: error, stream },
    recreated ? 'stream files were missing, stream recreated' : 'consumer interrupted, restarting',
  )
}

async function pullMessages(bus: Bus, consuming: Consuming, { state, inFlight }: ConsumerState): Promise<void> {
  const consumer = await bus.jetstream.consumers.get(consuming.stream, bus.service)
  const { concurrency } = consuming
  const running = { consuming, state, inFlight }
  if (concurrency === undefined)
    return void (await processAll(await consumer.consume({ max_messages: consuming.maxInFlight, ...pull }), running))
  // A pull without messages may have met a deleted consumer: look it up again.
  for (let taken = 1; taken > 0 && !state.stopped;) {
    if (inFlight.size >= concurrency) await Promise.race(inFlight)
    else taken = await processAll(await consumer.fetch({ max_messages: concurrency - inFlight.size, ...pull }), running)
  }
}

async function processAll(
  messages: ConsumerMessages,
  { consuming, state, inFlight }: ConsumerState & { consuming: Consuming },
): Promise<number> {
  let taken = 0
  state.messages = messages
  if (state.stopped) messages.stop()
  void stopWhenConsumerGone(messages)
  for await (const message of messages) {
    const work = processMessage(consuming, message).finally(() => inFlight.delete(work))
    inFlight.add(work)
    taken++
  }
  return taken
}

async function stopWhenConsumerGone(messages: ConsumerMessages): Promise<void> {
  const gone = ['consumer_deleted', 'consumer_not_found', 'stream_not_found', 'heartbeats_missed', 'no_responders']
  for await (const status of messages.status()) if (gone.includes(status.type)) return messages.stop()
}

async function processMessage(consuming: Consuming, message: JsMsg): Promise<void> {
  const delivery = toDelivery(consuming, message)
  const heartbeat = setInterval(() => extendAckDeadline(message), consuming.ackWait / 3)
  try {
    const outcome = await handleDelivery(consuming, delivery, message)
    if (outcome === 'done' || outcome === 'dead-lettered') await message.ackAck()
    else message.nak(outcome.retryIn)
  } catch (error) {
    // The handler's commit stands; the redelivered message is recognised by its id.
    consuming.log.warn({ err: error, subject: delivery.subject, id: delivery.id }, 'acknowledgement failed')
  } finally {
    clearInterval(heartbeat)
  }
}

function extendAckDeadline(message: JsMsg): void {
  try {
    message.working()
  } catch {
    // The connection is closed: another replica will get the message.
  }
}

/**
 * Runs the handler on a delivery and returns the outcome, which the caller acknowledges; a message that fails at its last delivery is
 * dead-lettered. A delivery beyond the last one is recorded and not handled.
 */
async function handleDelivery(
  consuming: Consuming,
  delivery: Delivery,
  message: JsMsg,
): Promise<Outcome | 'dead-lettered'> {
  if (delivery.delivery > consuming.maxDeliver)
    return deadLetter(consuming, delivery, new Failure('unavailable', 'The worker ended during the last delivery'))
  try {
    const { id, subject } = delivery
    const attributes = () =>
      messagingAttributes({
        operation: 'process',
        subject,
        id,
        group: message.info.consumer,
        size: message.data.byteLength,
      })
    const work = () =>
      withSpan(`process ${subject}`, { kind: 'consumer', attributes }, () => consuming.handle(delivery))
    const outcome = await runInContext({ requestId: id, operationId: subject }, work, message.headers)
    if (outcome === 'done' || !delivery.last) return outcome
    return await deadLetter(
      consuming,
      delivery,
      new Failure('unavailable', 'The handler asked for redelivery after the last one'),
    )
  } catch (error) {
    consuming.log.warn(
      { err: error, subject: delivery.subject, id: delivery.id, delivery: delivery.delivery },
      'message failed',
    )
    if (delivery.last) return deadLetter(consuming, delivery, error)
    return { retryIn: Math.min(maxBackOff, 500 * 2 ** delivery.delivery) }
  }
}

/** Records a message that failed at its last delivery; when that fails too it is redelivered, to be recorded and not handled. */
async function deadLetter(
  consuming: Consuming,
  delivery: Delivery,
  error: unknown,
): Promise<Outcome | 'dead-lettered'> {
  try {
    await consuming.deadLettered(delivery, error)
    return 'dead-lettered'
  } catch (failed) {
    consuming.log.error(
      { err: failed, subject: delivery.subject, id: delivery.id },
      'dead letter could not be recorded',
    )
    return { retryIn: maxBackOff }
  }
}

function toDelivery(consuming: Consuming, message: JsMsg): Delivery {
  const delivery = message.info.deliveryCount
  return {
    id:
      message.headers?.get(header.message) ||
      message.headers?.get('Nats-Msg-Id') ||
      `${message.info.stream}:${message.seq}`,
    subject: message.subject,
    payload: parseJson(message),
    delivery,
    last: delivery >= consuming.maxDeliver,
  }
}
