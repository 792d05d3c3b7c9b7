import { Failure } from '@recto/operation'
import type { DueRows, PeriodicWork } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { createSemaphore } from '@recto/worker-pool'

/** Works on rows in this process. The rows are the queue: what a process leaves behind, another one takes over. */
export interface RowQueue {
  /** Resolves when this process does not work on the row any more; never rejects. */
  run(id: string): Promise<void>
  /** Takes over rows that nobody works on. */
  work: PeriodicWork
  /** Hands rows that this process works on back to the queue, and starts no others. */
  stop(): Promise<void>
}

/** How the rows of a queue are found and worked on. */
export interface RowWork {
  name: string
  /** Milliseconds between looks at the queue, at least. */
  every: number
  /** When a row waits that nobody works on. */
  rows: DueRows
  /** Rows at once in this process. */
  concurrency: number
  log: Pick<Log, 'warn'>
  /** Ids of rows that nobody works on. */
  findWaiting(): Promise<string[]>
  attempt(id: string, stopping: AbortSignal): Promise<void>
}

/** Starts nothing by itself. */
export function createRowQueue({ name, every, rows, concurrency, log, findWaiting, attempt }: RowWork): RowQueue {
  const semaphore = createSemaphore(concurrency)
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const inSlot = async (id: string): Promise<void> => {
    const release = await semaphore.take(stopping.signal)
    try {
      await attempt(id, stopping.signal)
    } finally {
      release()
    }
  }
  const once = (id: string): Promise<void> => {
    const known = running.get(id)
    if (known) return known
    const work = inSlot(id)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error, row: id }, `work of ${name} was interrupted`)
      })
      .finally(() => running.delete(id))
    running.set(id, work)
    return work
  }
  return {
    run: once,
    work: {
      name,
      every,
      rows,
      run: async () => {
        for (const id of await findWaiting()) void once(id)
      },
    },
    stop: async () => {
      stopping.abort(new Failure('unavailable', 'The service stops'))
      await Promise.all(running.values())
    },
  }
}

type Lease = { state: string; attempts: number; heartbeatAt: Date | null }

/** Whether a process may start an attempt at a row: it is queued, or its lease has run out; after `most` attempts it is given up. */
export function decideAttempt(
  { state, attempts, heartbeatAt }: Lease,
  { now, leaseLength, most }: { now: Date; leaseLength: number; most: number },
): 'take' | 'leave' | 'give-up' {
  if (state !== 'queued' && state !== 'running') return 'leave'
  const isHeld = state === 'running' && heartbeatAt !== null && now.getTime() - heartbeatAt.getTime() < leaseLength
  if (isHeld) return 'leave'
  return attempts >= most ? 'give-up' : 'take'
}
