import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { connect, createInbox, type Msg, type NatsConnection, type Payload } from '@nats-io/transport-node'
import { Failure } from '@recto/operation'
import { injectTrace, withSpan } from '@recto/telemetry'
import { watchCluster } from './cluster-watch.ts'
import { messagingAttributes } from './messaging.ts'
import { Requests, type RequestOptions } from './requests.ts'
import { natsHeaders } from './wire.ts'

/** A NATS connection that belongs to one service. */
export interface Bus {
  service: string
  /** Milliseconds that a call of another service may take, or longer where its row says so. */
  callTimeout: number
  /** Servers of a cluster that keep each stream. */
  streamReplicas: number
  /** Called before each call of an operation of a service; what it throws ends the call. */
  beforeCall?: ((operationId: string) => void) | undefined
  connection: NatsConnection
  jetstream: JetStreamClient
  manager: JetStreamManager
  /** Creates a reply subject below this service's inbox prefix. */
  inbox(): string
  /**
   * Sends a request and resolves with its reply; rejects with `unavailable` as soon as the connection is lost, since no reply may follow,
   * and with an error of the client library when nobody answers.
   */
  request(subject: string, body: Payload | undefined, options: RequestOptions): Promise<Msg>
  /** Resolves with the result of `work`; rejects with `unavailable` as soon as the connection is lost, since no reply may follow. */
  whileConnected<T>(work: () => Promise<T>): Promise<T>
  /** Publishes at most once and never throws; the id (`Nats-Msg-Id`) lets the stream drop a duplicate. */
  signal(subject: string, id: string, payload: unknown): void
  /** Whether the connection is there: without it, signals are missed. */
  isConnected(): boolean
  /** Calls back after a reconnect: signals published meanwhile are missed. */
  onReconnect(listener: () => void): void
  /** Reports a condition to the operator's log. */
  notice(message: string, details: Record<string, unknown>): void
  /** Finishes what is in flight, then closes; closes at once when the server is unreachable. */
  drain(): Promise<void>
}

interface BusOptions {
  /** `nats://user:password@host:port[,host:port]`. */
  url: string
  service: string
  /** Milliseconds that a call of another service may take, or longer where its row says so; 5,000 unless given. */
  callTimeout?: number
  /** Servers of a cluster that keep each stream; 1 unless given. */
  streamReplicas?: number
  beforeCall?: Bus['beforeCall']
  /** Called with what an operator should see: lost and regained connections, permission violations. */
  notice?: (message: string, details: Record<string, unknown>) => void
}

/** Resolves to true when the server answers, or to the reason why it does not, for `/readyz`. */
export async function busState({ connection, isConnected }: Bus): Promise<true | string> {
  if (connection.isClosed()) return 'the bus is closed'
  if (!isConnected()) return 'NATS is not reached'
  await connection.flush()
  return true
}

/** Connects to NATS with unlimited reconnects; resolves once the first connection is established. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { url, service, callTimeout = 5_000, streamReplicas = 1, beforeCall, notice = () => undefined } = options
  const { servers, user, pass, tls } = parseNatsUrl(url)
  const inboxPrefix = `_INBOX.${service}`
  const connection = await connect({
    servers,
    ...(user !== undefined && { user, pass: pass ?? '' }),
    ...(tls && { tls: {} }),
    name: service,
    inboxPrefix,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    // A server whose machine is gone closes nothing: after two pings without an answer another one is looked for.
    pingInterval: 5_000,
    maxPingOut: 2,
    waitOnFirstConnect: true,
    ignoreClusterUpdates: false,
    // Capturing a stack trace for every request of JetStream costs processor time.
    noAsyncTraces: true,
  })
  const listeners: (() => void)[] = []
  const waiting = new ConnectedWork()
  const requests = new Requests(connection, createInbox(inboxPrefix))
  void watchStatus(connection, { notice, listeners, waiting, requests })
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const clusterWatch = watchCluster(connection, { manager, notice })
  void connection.closed().then(() => {
    clusterWatch.stop()
    requests.rejectAll(busUnavailable())
  })
  const bus: Bus = {
    service,
    callTimeout,
    streamReplicas,
    beforeCall,
    connection,
    jetstream: jetstream(connection),
    manager,
    request: (subject, body, options) =>
      waiting.isLost ? Promise.reject(busUnavailable()) : requests.send(subject, body, options),
    whileConnected: work => waiting.untilLost(work),
    isConnected: () => !waiting.isLost,
    signal: (subject, id, payload) => {
      const publish = () =>
        connection.publish(subject, JSON.stringify(payload), {
          headers: injectTrace(natsHeaders({ 'Nats-Msg-Id': id })),
        })
      const attributes = () => messagingAttributes({ operation: 'publish', subject, id, bus })
      void withSpan(`publish ${subject}`, { kind: 'producer', attributes }, async () => guarded(notice, publish))
    },
    notice,
    onReconnect: listener => void listeners.push(listener),
    inbox: () => createInbox(inboxPrefix),
    drain: async () => {
      // A lost server is not waited for: an address that does not answer holds up each attempt to connect for a while.
      if (!connection.isClosed()) await waiting.untilLost(() => connection.drain()).catch(() => connection.close())
    },
  }
  return bus
}

/** Runs a callback and reports what it throws, so that the connection's read loop survives. */
export function guarded(notice: Bus['notice'], act: () => void): void {
  try {
    act()
  } catch (error) {
    notice('bus listener or signal failed', { err: error })
  }
}

/** Splits a comma-separated NATS URL into servers and credentials, the form that the client library takes. */
export function parseNatsUrl(url: string): { servers: string[]; user?: string; pass?: string; tls: boolean } {
  const parsed = url.split(',').map(part => new URL(part.includes('://') ? part : `nats://${part}`))
  const first = parsed.find(part => part.username !== '')
  return {
    servers: parsed.map(part => `${part.hostname}:${part.port || '4222'}`),
    ...(first && { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) }),
    tls: parsed.some(part => part.protocol === 'tls:'),
  }
}

interface StatusWatch {
  notice: Bus['notice']
  listeners: (() => void)[]
  waiting: ConnectedWork
  requests: Requests
}

/** Work that needs the connection; all of it is rejected at once when that is lost. */
class ConnectedWork {
  #isLost = false
  readonly #rejects = new Set<(reason: Failure) => void>()

  get isLost(): boolean {
    return this.#isLost
  }

  untilLost<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isLost) return Promise.reject(busUnavailable())
    return new Promise<T>((resolve, reject) => {
      this.#rejects.add(reject)
      const settle =
        <V>(act: (value: V) => void) =>
        (value: V) => {
          this.#rejects.delete(reject)
          act(value)
        }
      work().then(settle(resolve), settle(reject))
    })
  }

  lose(): void {
    this.#isLost = true
    for (const reject of this.#rejects) reject(busUnavailable())
    this.#rejects.clear()
  }

  regain(): void {
    this.#isLost = false
  }
}

function busUnavailable(): Failure {
  return new Failure('unavailable', 'The bus is not available', { retryAfter: 1 })
}

async function watchStatus(connection: NatsConnection, watch: StatusWatch): Promise<void> {
  const { notice, listeners, waiting, requests } = watch
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      waiting.lose()
      requests.rejectAll(busUnavailable())
    }
    if (status.type === 'reconnect') waiting.regain()
    if (status.type === 'disconnect' || status.type === 'reconnect')
      notice(`bus ${status.type}`, { server: status.server })
    if (status.type === 'error') {
      requests.refuse(status.error)
      notice('bus error', { error: status.error.message })
    }
    if (status.type === 'reconnect') for (const listener of listeners) guarded(notice, listener)
  }
}
