import { setTimeout as sleep } from 'node:timers/promises'
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { injectTrace, runInContext, withSpan } from '@recto/telemetry'
import type { Bus } from './connection.ts'
import { messagingAttributes } from './messaging.ts'
import { header, natsHeaders } from './wire.ts'

/** The streams of the platform: `EVENTS` holds what happened, `JOBS` work that waits for a worker. */
export type StreamName = 'EVENTS' | 'JOBS'

/** Attempts to store one message before the error goes to the outbox, which retries later. */
const attempts = 3
const day = 24 * 60 * 60 * 1000

const streams: Record<StreamName, Pick<StreamConfig, 'subjects' | 'retention' | 'max_age'>> = {
  EVENTS: { subjects: ['events.>'], retention: RetentionPolicy.Limits, max_age: nanos(7 * day) },
  JOBS: { subjects: ['jobs.>'], retention: RetentionPolicy.Workqueue, max_age: nanos(7 * day) },
}
const streamExists = 10058
const consumerExists = 10148
/** Milliseconds. */
const deletionDelay = 500

/** Creates a stream unless it exists. */
export async function ensureStream(bus: Bus, name: StreamName): Promise<void> {
  const config = { name, ...streams[name], storage: StorageType.File, duplicate_window: nanos(120_000) }
  await bus.manager.streams.add(config).catch((error: unknown) => {
    // Another process made it first, perhaps with other settings: those are an operator's choice.
    if (!(error instanceof JetStreamApiError && error.code === streamExists)) throw error
  })
}

/** How a durable consumer takes messages. */
export interface ConsumerSettings {
  stream: StreamName
  /** Subjects it takes; one filter, as servers before 2.10 know no more. */
  filter: string
  /** Milliseconds without acknowledgement or sign of work after which a message is given to another. */
  ackWait: number
  /** Deliveries of one message before it is dead-lettered. */
  maxDeliver: number
  /** Messages in work at once over all replicas. */
  maxInFlight: number
}

/** Creates the stream and this service's durable consumer unless they exist. */
export async function ensureConsumer(bus: Bus, settings: ConsumerSettings): Promise<void> {
  await ensureStream(bus, settings.stream)
  const config: Partial<ConsumerConfig> = {
    durable_name: bus.service,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    filter_subject: settings.filter,
    ack_wait: nanos(settings.ackWait),
    // The server would drop a message whose last consumer died with it, and nobody would know: consume() counts instead.
    max_deliver: -1,
    max_ack_pending: settings.maxInFlight,
  }
  await bus.manager.consumers.add(settings.stream, config).catch(async (error: unknown) => {
    // Made by another version with other settings: ours are newer.
    if (!(error instanceof JetStreamApiError && error.code === consumerExists)) throw error
    await bus.manager.consumers.update(settings.stream, bus.service, config)
  })
}

/** A message on its way into a stream. */
export interface StoredMessage {
  stream: StreamName
  subject: string
  id: string
  payload: unknown
  /** How often it has been published, this time included; 1 unless given. */
  dispatch?: number
  /** Headers with the trace of what wrote it, as `injectTrace` made them. */
  trace?: Record<string, string> | undefined
}

/**
 * Stores a message in its stream; the same id within two minutes is stored once, unless it is dispatched again: then
 * nobody acknowledged it, and the stream may know its id without having it. Recreates the stream when it is gone.
 */
export function publishStored(bus: Bus, message: StoredMessage): Promise<void> {
  const { subject, id, trace } = message
  const attributes = () => messagingAttributes({ operation: 'publish', subject, id, bus })
  return runInContext(
    {},
    () => withSpan(`publish ${subject}`, { kind: 'producer', attributes }, () => store(bus, message)),
    trace,
  )
}

async function store(bus: Bus, { stream, subject, id, payload, dispatch = 1 }: StoredMessage): Promise<void> {
  const headers = injectTrace(natsHeaders({ [header.message]: id }))
  const options = { msgID: dispatch > 1 ? `${id}#${dispatch}` : id, headers, timeout: 5_000 }
  const send = () => bus.jetstream.publish(subject, JSON.stringify(payload), options)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void (await send())
    } catch (error) {
      if (attempt === attempts) throw error
      // A server that is still deleting a stream takes what is left of it for the new one: its ids, but not its messages.
      await sleep(deletionDelay)
      await ensureStream(bus, stream)
    }
  }
}

/**
 * Recreates a stream when an error says that its files are gone, as when its folder was deleted under a running server:
 * such a stream acknowledges what it is given and delivers nothing. Safe at any time, since outboxes publish again what was lost.
 */
export async function recreateLostStream(bus: Bus, name: StreamName, error: unknown): Promise<boolean> {
  if (!(error instanceof JetStreamApiError) || !error.message.includes('no such file or directory')) return false
  await recreateStream(bus, name)
  return true
}

/** Deletes a stream with all its messages and creates it again. */
export async function recreateStream(bus: Bus, name: StreamName): Promise<void> {
  await bus.manager.streams.delete(name)
  // A server that is still deleting a stream takes what is left of it for the new one.
  await sleep(deletionDelay)
  await ensureStream(bus, name)
}
