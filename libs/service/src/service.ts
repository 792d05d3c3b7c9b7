import { connectBus, publishStored, serve, type Bus, type RequestMeta } from '@recto/bus'
import { countWaiting, openDatabase, poolState, schemaState, startRelay, type DatabaseOptions, type Db, type WaitingMessage } from '@recto/database'
import type { Operations } from '@recto/operation'
import { createMetrics, type Log, type Metrics } from '@recto/telemetry'

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

/** Starts a service: database, bus, outbox relay and responders; `stop` finishes what is in flight before it closes them. */
export async function startDatabaseService<Context>(service: DatabaseService<Context>): Promise<RunningService> {
  const { name, log, metrics = createMetrics(name) } = service
  const database = await openDatabase(service.database)
  const bus = await connectBus({ url: service.natsUrl, service: name, notice: (message, details) => log.warn(details, message) })
  const db = database.manager
  metrics.registerPool('postgres', () => poolState(database))
  metrics.registerQueue('outbox', () => countWaiting(db))
  const signal = ({ subject, id, payload }: Signal): void => bus.signal(subject, id, payload)
  const context = (meta: RequestMeta): Context => service.context({ ...meta, db, signal }, { bus })
  const answering = { context, log, metrics, strict: service.strict ?? false }
  const servers = [serve(bus, { ...answering, prefix: 'api', ...service.api })]
  if (service.calls) servers.push(serve(bus, { ...answering, prefix: 'rpc', ...service.calls }))
  const publish = (message: WaitingMessage) => publishStored(bus, { stream: streamOf(message.subject), ...message })
  const relay = startRelay({ database, url: service.database.url, publish, log, ...(service.tellAgain && { again: service.tellAgain }) })
  const stopRest = async (): Promise<void> => {
    await relay.stop()
    await bus.drain()
    await database.destroy()
  }
  const stopAnswering = () => Promise.all(servers.map(server => server.stop()))
  const background = await service.background?.({ bus, db }).catch(async (error: unknown) => {
    await stopAnswering()
    await stopRest()
    throw error
  })
  return {
    bus,
    db,
    ready: async () => (bus.connection.isClosed() ? 'the bus is closed' : readiness(bus, [() => schemaState(database), ...(service.check ? [service.check] : [])])),
    stop: async () => {
      await stopAnswering()
      await background?.stop()
      await stopRest()
    },
  }
}

async function readiness(bus: Bus, checks: (() => Promise<true | string>)[]): Promise<true | string> {
  await bus.connection.flush()
  const states = await Promise.all(checks.map(check => check()))
  return states.find(state => state !== true) ?? true
}

function streamOf(subject: string): 'JOBS' | 'EVENTS' {
  return subject.startsWith('jobs.') ? 'JOBS' : 'EVENTS'
}
