import type { DataSource } from 'typeorm'
import type { Listening } from './listening.ts'
import { markPublished, postpone, takeDue, untilDue, type WaitingMessage } from './outbox.ts'

interface Log {
  warn(details: object, message: string): void
}

/** How an outbox is relayed to the bus. */
export interface RelayOptions {
  database: DataSource
  /** Notifies of messages in the outbox. */
  listening: Listening
  /** Stores a message in its stream; the relay retries when it throws. */
  publish(message: WaitingMessage): Promise<void>
  log: Log
  /** Seconds until a message that was not acknowledged is published again; 15 unless given. */
  redeliverAfter?: number
  /** Minimum milliseconds between sweeps; 1,000 unless given. */
  every?: number
  /** Maximum milliseconds between sweeps while LISTEN is up, since a connection that died silently misses notifications; 30,000 unless given. */
  maxPause?: number
}

const batch = 100
/** Seconds until a message whose publishing failed is retried. */
const retryAfter = 1

/**
 * Publishes the outbox: at once when a transaction that wrote to it commits (Postgres NOTIFY), and by a sweep that also
 * publishes again what its consumers have not acknowledged in time. Any number of replicas may run it.
 */
export function startRelay(options: RelayOptions): { stop(): Promise<void> } {
  const { every = 1_000, maxPause = 30_000, listening } = options
  const state = {
    stopped: false,
    running: undefined as Promise<void> | undefined,
    wakeAgain: false,
    timer: undefined as NodeJS.Timeout | undefined,
  }
  const wake = (): void => {
    if (state.stopped) return
    if (state.running) return void (state.wakeAgain = true)
    clearTimeout(state.timer)
    state.wakeAgain = false
    state.running = sweep(options).then(due => {
      state.running = undefined
      if (state.wakeAgain) wake()
      else if (!state.stopped)
        state.timer = setTimeout(wake, Math.max(every, listening.isUp() ? Math.min(due, maxPause) : 0))
    })
  }
  listening.on('outbox', wake)
  wake()
  return {
    stop: async () => {
      state.stopped = true
      clearTimeout(state.timer)
      await state.running
    },
  }
}

/** Publishes what is due; resolves to the milliseconds until the next message is. */
async function sweep({ database, publish, log, redeliverAfter = 15 }: RelayOptions): Promise<number> {
  try {
    for (;;) {
      const due = await takeDue(database.manager, { limit: batch, redeliverAfter })
      await Promise.all(due.map(message => publishOne(database, publish, message)))
      if (due.length < batch) return await untilDue(database.manager)
    }
  } catch (error) {
    log.warn({ err: error }, 'outbox could not be published, retrying')
    return 0
  }
}

async function publishOne(
  database: DataSource,
  publish: RelayOptions['publish'],
  message: WaitingMessage,
): Promise<void> {
  try {
    await publish(message)
  } catch (error) {
    await postpone(database.manager, message.id, retryAfter)
    throw error
  }
  if (message.consumers.length === 0) await markPublished(database.manager, message.id)
}
