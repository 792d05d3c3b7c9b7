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

/** The JetStream streams of the platform: `EVENTS` (limits retention) and `JOBS` (work queue). */
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
/** The servers that are there are fewer than the replicas that were asked for; or there is no cluster. */
const tooFewServers = [10005, 10023, 10074]
/** Milliseconds. */
const deletionDelay = 500

/**
 * Creates a stream unless it exists, and gives one that has too few replicas more. While there are not enough servers it has one: it keeps
 * copies only, so that none has to wait for a server that is away.
 */
export async function ensureStream(bus: Bus, name: StreamName): Promise<void> {
  const config = { name, ...streams[name], storage: StorageType.File, duplicate_window: nanos(120_000) }
  const add = (replicas: number) =>
    bus.manager.streams.add({ ...config, num_replicas: replicas }).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError && error.code === streamExists)) throw error
    })
  await add(bus.streamReplicas).catch((error: unknown) => {
    if (bus.streamReplicas === 1 || !isTooFewServers(error)) throw error
    bus.notice('a stream has one replica for now', { stream: name, wanted: bus.streamReplicas, err: error })
    return add(1)
  })
  if (bus.streamReplicas > 1) await raiseReplicas(bus, name)
}

/** Gives a stream more replicas, as far as there are servers for them. Its other settings stay, as an operator may have changed them. */
export async function raiseReplicas(bus: Bus, name: StreamName): Promise<void> {
  const { config } = await bus.manager.streams.info(name)
  if (config.num_replicas >= bus.streamReplicas) return
  await bus.manager.streams.update(name, { num_replicas: bus.streamReplicas }).catch((error: unknown) => {
    // Tried again as long as the stream is consumed.
    if (!isTooFewServers(error)) throw error
  })
}

function isTooFewServers(error: unknown): boolean {
  return error instanceof JetStreamApiError && tooFewServers.includes(error.code)
}

/** Settings of a durable consumer. */
export interface ConsumerSettings {
  stream: StreamName
  /** Subject filter; a single one, as servers before 2.10 support no more. */
  filter: string
  /** Milliseconds without acknowledgement or heartbeat after which a message is redelivered. */
  ackWait: number
  /** Deliveries of one message before it is dead-lettered. */
  maxDeliver: number
  /** Unacknowledged messages over all replicas (`max_ack_pending`). */
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
    // consume() counts deliveries: the server would drop a message silently when its consumer dies during the last one.
    max_deliver: -1,
    max_ack_pending: settings.maxInFlight,
  }
  await bus.manager.consumers.add(settings.stream, config).catch(async (error: unknown) => {
    // Created by another version with other settings: ours replace them.
    if (!(error instanceof JetStreamApiError && error.code === consumerExists)) throw error
    await bus.manager.consumers.update(settings.stream, bus.service, config)
  })
}

/** A message to be stored in a stream. */
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
 * Stores a message in its stream and creates the stream when it is missing. The same id within two minutes is stored once;
 * a `dispatch` above 1 gets a deduplication id of its own, because a recreated stream may know an id without its message.
 * Throws what the server answers after three attempts.
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
      // While a server deletes a stream, its successor may inherit the deduplication ids without the messages.
      await sleep(deletionDelay)
      await ensureStream(bus, stream)
    }
  }
}

/**
 * Recreates a stream when an error says that its files are missing (its folder was deleted under a running server): such a
 * stream acknowledges messages and delivers none. Safe at any time, since outboxes redeliver. Resolves to whether it did.
 */
export async function recreateLostStream(bus: Bus, name: StreamName, error: unknown): Promise<boolean> {
  if (!(error instanceof JetStreamApiError) || !error.message.includes('no such file or directory')) return false
  await recreateStream(bus, name)
  return true
}

/** Deletes a stream with all its messages and creates it again. */
export async function recreateStream(bus: Bus, name: StreamName): Promise<void> {
  await bus.manager.streams.delete(name)
  // The server deletes in the background; a stream created too early would inherit its state.
  await sleep(deletionDelay)
  await ensureStream(bus, name)
}
