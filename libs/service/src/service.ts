import { connectBus, publishStored, serve, type Bus, type RequestMeta, type StoredMessage } from '@recto/bus'
import {
  countWaiting,
  openDatabase,
  poolState,
  schemaState,
  startRelay,
  type DatabaseOptions,
  type DataSource,
  type Db,
  type WaitingMessage,
} from '@recto/database'
import type { Operations } from '@recto/operation'
import { createMetrics, type Log, type Metrics } from '@recto/telemetry'
import { consumeEvents, eventCallHandlers, eventCalls, type Consumed } from './events.ts'

const migrationPoll = 1_000

/** Rows and the handlers that answer them. */
export interface Answers<Context> {
  operations: Operations
  handlers: Record<string, (input: never, context: Context) => Promise<unknown>>
}

/** What every handler of a service with a database can rely on. */
export interface ServiceContext extends RequestMeta {
  db: Db
  /** Tells an event at once that a transaction has written to the outbox; the outbox tells it again if this is lost. */
  signal(message: Signal): void
}

interface Signal {
  id: string
  subject: string
  payload: unknown
}

/** A service with a database and a place on the bus. */
export interface DatabaseService<Context> {
  name: string
  natsUrl: string
  database: DatabaseOptions
  log: Log
  metrics?: Metrics
  /** Operations that come from the gateway. */
  api: Answers<Context>
  /** Operations that other services ask for. */
  calls?: Answers<Context>
  /** Events that the service consumes: each handled once, and told again until it was. */
  events?: Consumed
  /** Adds what the service's handlers need to what every handler has. */
  context(base: ServiceContext, parts: { bus: Bus }): Context
  /** Work besides answering: started once, stopped before the bus is drained. */
  background?(parts: { bus: Bus; db: Db }): Promise<{ stop(): Promise<void> }>
  /** More that readiness depends on: true, or the reason why not. */
  check?(): Promise<true | string>
  /** Seconds until an unconfirmed message is told again; for tests. */
  tellAgain?: number
  /** Fail on undeclared failures; for tests. */
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
 * Starts a service: database, bus, outbox relay and responders. It takes no request before its database has the schema of
 * this version, since readiness keeps nobody from the bus. `stop` finishes what is in flight before it closes.
 */
export async function startDatabaseService<Context>(service: DatabaseService<Context>): Promise<RunningService> {
  const { name, log, metrics = createMetrics(name) } = service
  const opened = new Opened()
  try {
    const database = await openDatabase(service.database)
    opened.add(() => database.destroy())
    const bus = await connectBus({
      url: service.natsUrl,
      service: name,
      notice: (message, details) => log.warn(details, message),
    })
    opened.add(() => bus.drain())
    const db = database.manager
    metrics.registerPool('postgres', () => poolState(database))
    metrics.registerQueue('outbox', () => countWaiting(db))
    const work = whenMigrated(database, log, () => begin(service, { bus, database, metrics }))
    opened.add(work.stop)
    await work.first
    const checks = [() => schemaState(database), ...(service.check ? [service.check] : [])]
    return { bus, db, ready: () => readiness(bus, checks), stop: () => opened.close() }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** What was opened so far, closed in the opposite order. */
class Opened {
  readonly #closes: (() => Promise<unknown>)[] = []

  add(close: () => Promise<unknown>): void {
    this.#closes.unshift(close)
  }

  async close(): Promise<void> {
    for (const close of this.#closes.splice(0)) await close()
  }
}

interface Parts {
  bus: Bus
  database: DataSource
  metrics: Metrics
}

/** Answers, tells and works in the background, until stopped. */
async function begin<Context>(
  service: DatabaseService<Context>,
  { bus, database, metrics }: Parts,
): Promise<() => Promise<void>> {
  const { log, strict = false, tellAgain } = service
  const opened = new Opened()
  const db = database.manager
  const publish = (message: WaitingMessage) => publishStored(bus, toStore(message))
  const relay = startRelay({
    database,
    url: service.database.url,
    publish,
    log,
    ...(tellAgain && { again: tellAgain }),
  })
  opened.add(() => relay.stop())
  try {
    const background = await service.background?.({ bus, db })
    if (background) opened.add(() => background.stop())
    const consumer = service.events && consumeEvents(bus, service.events, { db, log })
    if (consumer) opened.add(() => consumer.stop())
  } catch (error) {
    await opened.close()
    throw error
  }
  const context = (meta: RequestMeta): Context =>
    service.context({ ...meta, db, signal: signalsOf(bus, meta) }, { bus })
  const answering = { context, log, metrics, strict }
  const calls = {
    operations: { ...service.calls?.operations, ...eventCalls },
    handlers: { ...service.calls?.handlers, ...eventCallHandlers(db) },
  }
  const servers = [
    serve(bus, { ...answering, prefix: 'api', ...service.api }),
    serve(bus, { ...answering, prefix: 'rpc', ...calls }),
  ]
  opened.add(() => Promise.all(servers.map(server => server.stop())))
  return () => opened.close()
}

/** Signals go ahead of the reply: it waits until the server has passed them on, so that whoever has the answer finds every cache dropped. */
function signalsOf(bus: Bus, { holdReply }: RequestMeta): ServiceContext['signal'] {
  return ({ subject, id, payload }) => {
    bus.signal(subject, id, payload)
    holdReply(bus.connection.flush().catch(() => undefined))
  }
}

/** Begins now when the schema is that of this version, else as soon as somebody has migrated. */
function whenMigrated(
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
    log.warn({ err: error }, 'the service cannot begin, trying again')
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
  if (bus.connection.isClosed()) return 'the bus is closed'
  await bus.connection.flush()
  const states = await Promise.all(checks.map(check => check()))
  return states.find(state => state !== true) ?? true
}

/** A job has the id of what it works on. Told again, after it failed say, it must not be taken for the one that the stream has seen. */
function toStore({ id, subject, payload, toldAt, dispatches, trace }: WaitingMessage): StoredMessage {
  const message = { subject, payload, trace: trace ?? undefined }
  if (subject.startsWith('jobs.')) return { stream: 'JOBS', ...message, id: `${id}:${toldAt}` }
  return { stream: 'EVENTS', ...message, id, dispatch: dispatches }
}
