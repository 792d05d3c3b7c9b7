import type pg from 'pg'
import { clientsOf } from './silent-server.ts'

/** A channel of notifications: messages in the outbox, rows to work on, by the triggers of their tables (`wakeTrigger`), or organizations with new events in their record. */
export type Channel = 'outbox' | 'work' | 'records'

/** A connection that listens to notifications of the database (Postgres LISTEN). What it misses may only delay what it wakes. */
export interface Listening {
  /** Whether notifications arrive, as far as is known: a connection that died silently misses them. */
  isUp(): boolean
  /** Calls back with the payload of each notification, and with undefined whenever the connection is made: some may have been missed. */
  on(channel: Channel, listener: (payload: string | undefined) => void): void
  stop(): Promise<void>
}

interface ListeningOptions {
  /** URL of the database; the connection is not one of the pool. */
  url: string
  log: { warn(details: object, message: string): void }
}

/** Milliseconds between two questions whether the server is still there, and without an answer to one until the connection is given up. */
const askEvery = 15_000
const Client = clientsOf({ statementTimeout: 5_000 })
/** Milliseconds until an attempt to connect is given up. */
const connectTimeout = 10_000

/** Listens until stopped, also after the connection was lost. */
export function startListening({ url, log }: ListeningOptions): Listening {
  const listeners: Record<Channel, ((payload: string | undefined) => void)[]> = { work: [], outbox: [], records: [] }
  const channels = Object.keys(listeners) as Channel[]
  const state = { stopped: false, isUp: false, client: undefined as pg.Client | undefined }
  const notify = (channel: Channel, payload?: string) => listeners[channel].forEach(listener => listener(payload))
  const connect = async (): Promise<void> => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeout })
    client.on('notification', ({ channel, payload }) => notify(channel as Channel, payload))
    // Nothing arrives from a server whose machine is gone, and nothing says so.
    const asking = setInterval(() => void client.query('select 1').catch(() => undefined), askEvery).unref()
    client.once('end', () => {
      clearInterval(asking)
      const wasUp = state.isUp
      state.isUp = false
      // Work that sleeps looks now, and as often as it may until notifications arrive again.
      if (wasUp) for (const channel of channels) notify(channel)
      setTimeout(retry, 1_000).unref()
    })
    state.client = client
    await client.connect()
    for (const channel of channels) await client.query(`listen ${channel}`)
    state.isUp = true
    for (const channel of channels) notify(channel)
  }
  const retry = (): void => {
    if (state.stopped) return
    connect().catch((error: unknown) => {
      if (state.stopped) return
      log.warn({ err: error }, 'LISTEN failed, polling until it succeeds')
      // A connection that is open but cannot listen, as on a standby: its end has the next attempt made.
      void state.client?.end().catch(() => undefined)
    })
  }
  retry()
  return {
    isUp: () => state.isUp,
    on: (channel, listener) => void listeners[channel].push(listener),
    stop: async () => {
      state.stopped = true
      await state.client?.end().catch(() => undefined)
    },
  }
}
