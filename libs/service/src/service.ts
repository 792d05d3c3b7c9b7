import { busState, connectBus, publishStored, serve, type Bus, type RequestMeta, type StoredMessage } from '@recto/bus'
import {
  deleteOldMessages,
  deleteOldRequests,
  isInTransaction,
  openDatabase,
  poolState,
  schemaState,
  startListening,
  startRelay,
  transact,
  waitingStates,
  type DatabaseOptions,
  type DataSource,
  type Db,
  type Listening,
  type Signal,
  type WaitingMessage,
} from '@recto/database'
import { secretsFor, type Answers, type Caller, type RecordEntry, type Secrets } from '@recto/operation'
import { createMetrics, type Log, type Metrics } from '@recto/telemetry'
import { eventCallHandlers, eventCalls } from './acknowledgements.ts'
import { once, requestWork, type RunTransaction } from './requests.ts'
import { recordingRefusals, type Refusal } from './refusals.ts'
import { reactionStates } from './reactions.ts'
import { startScheduler } from './scheduler.ts'
import { consumeEvents, type ConsumedEvents } from './events.ts'

/** Days that messages of the outbox, and the ids of processed ones, are kept after they are done. */
const messageRetentionDays = 7
const hour = 3_600_000
const migrationPoll = 1_000

/** The context that every handler of a service with a database receives. */
export interface ServiceContext<Actor extends Caller = Caller> extends RequestMeta<Actor> {
  db: Db
  /** Runs a unit of work. The reply waits until the bus has the events' signals, so that a caller with the reply finds caches dropped. */
  transaction: RunTransaction
  /** The key that signs the cursors of the requested list; it differs for each operation and its parameters. */
  cursorKey(): Secrets
  /** For a request that fails although a transaction of it was committed: it can be repeated with its `Idempotency-Key`. */
  releaseKey(): Promise<void>
}

/** The tools from which a service builds its parts; `listening` wakes the work of a scheduler. */
export interface ServiceTools {
  bus: Bus
  db: Db
  transaction: RunTransaction
  listening: Listening
}

/** The running parts of a service, between its first reply and its last. */
export interface ServiceParts<Context extends object, Actor extends Caller = Caller> {
  /** Extends the base context with what the service's handlers need. */
  context(base: ServiceContext<Actor>): Context
  /** Events that the service consumes: each is handled once, and redelivered until it was. */
  events?: ConsumedEvents
  /** Ends what requests wait for, so that those in flight are answered; called first of all when the service stops. */
  endWaits?(): Promise<void>
  /** Stops background work, after the last request and event, and before the bus is drained. */
  stop?(): Promise<void>
}

/** A service with a database and a connection to the bus. */
export interface DatabaseService<Context extends object, Actor extends Caller = Caller> {
  name: string
  natsUrl: string
  /** Milliseconds that a call of another service may take, or longer where its row says so. */
  callTimeout?: number
  /** Servers of a NATS cluster that keep each stream. */
  streamReplicas?: number
  database: DatabaseOptions
  log: Log
  metrics?: Metrics
  /** Operations that the gateway forwards. */
  api: Answers<Context>
  /** The change that is recorded when an operation of the API is refused (`forbidden`), if any; at most one of a caller in a minute. */
  refused?: (refusal: Refusal<Actor>) => RecordEntry | undefined
  /** Operations that other services call. */
  calls?: Answers<Context>
  /** Builds the parts and starts background work: once the database has its schema, before events are consumed and requests answered. */
  build(tools: ServiceTools): ServiceParts<Context, Actor> | Promise<ServiceParts<Context, Actor>>
  /** A further readiness check: resolves to true, or to the reason why not. */
  check?(): Promise<true | string>
  /** Seconds until a message that was not acknowledged is redelivered; for tests. */
  redeliverAfter?: number
  /** Signs the cursors of lists, and encrypts the stored replies of requests with an `Idempotency-Key`. */
  secret: Secrets
  /** Calls of other services that may be made while a transaction is open, each with the reason. */
  callsInTransaction?: Record<string, string>
  /** Fail on undeclared failures, and on calls of other services in a transaction; for tests. */
  strict?: boolean
}

/** A running service: `ready` is true or the reason why it is not. */
export interface RunningService {
  bus: Bus
  db: Db
  ready(): Promise<true | string>
  stop(): Promise<void>
}

/**
 * Starts a service: database, bus, outbox relay and responders. Responders start once the database has the schema of this
 * version, since readiness alone does not keep requests off the bus. `stop` finishes what is in flight before it closes.
 */
export async function startDatabaseService<Context extends object, Actor extends Caller = Caller>(
  service: DatabaseService<Context, Actor>,
): Promise<RunningService> {
  const { name, log, metrics = createMetrics(name) } = service
  const resources = new ResourceStack()
  try {
    const database = await openDatabase(service.database)
    resources.add(() => database.destroy())
    const bus = await connectBus({
      url: service.natsUrl,
      service: name,
      ...(service.callTimeout !== undefined && { callTimeout: service.callTimeout }),
      ...(service.streamReplicas !== undefined && { streamReplicas: service.streamReplicas }),
      ...(service.strict && { beforeCall: refuseInTransaction(service.callsInTransaction) }),
      notice: (message, details) => log.warn(details, message),
    })
    resources.add(() => bus.drain())
    const db = database.manager
    metrics.registerPool('postgres', () => poolState(database))
    metrics.registerQueues(() => waitingStates(db))
    const work = startWhenMigrated(database, log, () => startWork(service, { bus, database, metrics }))
    resources.add(work.stop)
    await work.first
    const checks = [() => schemaState(database), ...(service.check ? [service.check] : [])]
    return { bus, db, ready: () => readiness(bus, checks), stop: () => resources.close() }
  } catch (error) {
    await resources.close()
    throw error
  }
}

/** A call of another service in a transaction holds a connection and locks for as long as that service takes. */
function refuseInTransaction(exempt: Record<string, string> = {}): (operationId: string) => void {
  return operationId => {
    if (isInTransaction() && !(operationId in exempt))
      throw new Error(`${operationId} is called in a transaction: ask first, then lock and check (decision 0059)`)
  }
}

/** Opened resources, closed in reverse order. */
class ResourceStack {
  readonly #closes: (() => Promise<unknown>)[] = []

  add(close: () => Promise<unknown>): void {
    this.#closes.unshift(close)
  }

  async close(): Promise<void> {
    for (const close of this.#closes.splice(0)) await close()
  }
}

interface Connections {
  bus: Bus
  database: DataSource
  metrics: Metrics
}

/** Starts relay, parts, consumers and responders; resolves to what stops them. */
async function startWork<Context extends object, Actor extends Caller>(
  service: DatabaseService<Context, Actor>,
  { bus, database, metrics }: Connections,
): Promise<() => Promise<void>> {
  const { log, strict = false, redeliverAfter } = service
  const resources = new ResourceStack()
  const db = database.manager
  const publish = (message: WaitingMessage) => publishStored(bus, toStoredMessage(message))
  const listening = startListening({ url: service.database.url, log })
  resources.add(() => listening.stop())
  const relay = startRelay({ database, listening, publish, log, ...(redeliverAfter && { redeliverAfter }) })
  resources.add(() => relay.stop())
  const scheduler = startScheduler(
    [
      { name: 'delete old messages', every: hour, run: () => deleteOldMessages(db, messageRetentionDays) },
      { name: 'delete old idempotent requests', every: hour, run: () => deleteOldRequests(db) },
    ],
    log,
  )
  resources.add(() => scheduler.stop())
  const signal: Signal = ({ subject, id, payload }) => bus.signal(subject, id, payload)
  const transaction: RunTransaction = work => transact(db, signal, work)
  try {
    const parts = await service.build({ bus, db, transaction, listening })
    if (parts.stop) resources.add(parts.stop)
    if (parts.events) {
      const consumer = consumeEvents(bus, parts.events, { db, log, signal, listening })
      resources.add(() => consumer.stop())
    }
    const context = (meta: RequestMeta<Actor>): Context =>
      parts.context({
        ...meta,
        db,
        ...requestWork(bus, db, meta),
        cursorKey: () => secretsFor(service.secret, meta.requestFingerprint()),
      })
    const answering = { context, log, metrics, strict, once: once(db, service.secret) }
    const calls = {
      operations: { ...service.calls?.operations, ...eventCalls },
      handlers: { ...service.calls?.handlers, ...eventCallHandlers(db).handlers },
    }
    const { api, refused } = service
    const recordedApi = refused ? recordingRefusals<Context, Actor>(api, { entryOf: refused, db, log }) : api
    // The API is subscribed to last: a service that answers a gateway answers the other services, too.
    const servers = [
      serve(bus, { ...answering, prefix: 'rpc', ...calls }),
      serve(bus, { ...answering, prefix: 'api', ...recordedApi }),
    ]
    resources.add(() => Promise.all(servers.map(server => server.stop())))
    if (parts.endWaits) resources.add(parts.endWaits)
    const reactions = Object.keys(parts.events?.reactions ?? {})
    if (reactions.length > 0) metrics.registerQueues(() => reactionStates(db, reactions))
    // A service has started once NATS has its subscriptions; a lost connection subscribes again by itself.
    await bus.whileConnected(() => bus.connection.flush()).catch(() => undefined)
  } catch (error) {
    await resources.close()
    throw error
  }
  return () => resources.close()
}

/** Starts the work when the schema is current, now or after polling. */
function startWhenMigrated(
  database: DataSource,
  log: Log,
  beginWork: () => Promise<() => Promise<void>>,
): { first: Promise<void>; stop(): Promise<void> } {
  const state: { end?: () => Promise<void>; timer?: NodeJS.Timeout; isStopped: boolean } = { isStopped: false }
  const attempt = async (): Promise<void> => {
    if (state.isStopped) return
    if ((await schemaState(database)) === true) state.end = await beginWork()
    else state.timer = setTimeout(() => void (running = attempt().catch(again)), migrationPoll)
  }
  const again = (error: unknown): void => {
    log.warn({ err: error }, 'service cannot start working, retrying')
    if (!state.isStopped) state.timer = setTimeout(() => void (running = attempt().catch(again)), migrationPoll)
  }
  const first = attempt()
  let running: Promise<void> = first.catch(() => undefined)
  return {
    first,
    stop: async () => {
      state.isStopped = true
      clearTimeout(state.timer)
      await running
      await state.end?.()
    },
  }
}

async function readiness(bus: Bus, checks: (() => Promise<true | string>)[]): Promise<true | string> {
  const state = await busState(bus)
  if (state !== true) return state
  const states = await Promise.all(checks.map(check => check()))
  return states.find(state => state !== true) ?? true
}

/** A job's id is that of what it works on: the time of enqueueing keeps the stream from dropping a job that was enqueued again as a duplicate. */
function toStoredMessage({ id, subject, payload, enqueuedAt, dispatches, trace }: WaitingMessage): StoredMessage {
  const message = { subject, payload, trace: trace ?? undefined }
  if (subject.startsWith('jobs.')) return { stream: 'JOBS', ...message, id: `${id}:${enqueuedAt}` }
  return { stream: 'EVENTS', ...message, id, dispatch: dispatches }
}
