import { Failure } from '@recto/operation'
import type { PeriodicWork } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { createSlots } from '@recto/worker-pool'

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
  /** Milliseconds between looks at the queue. */
  every: number
  /** Rows at once in this process. */
  concurrency: number
  log: Pick<Log, 'warn'>
  /** Ids of rows that nobody works on. */
  findWaiting(): Promise<string[]>
  attempt(id: string, stopping: AbortSignal): Promise<void>
}

/** Starts nothing by itself. */
export function createRowQueue({ name, every, concurrency, log, findWaiting, attempt }: RowWork): RowQueue {
  const slots = createSlots(concurrency)
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const inSlot = async (id: string): Promise<void> => {
    const release = await slots.take(stopping.signal)
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

/** The lease of one attempt at a row. */
export interface RowLease {
  stopping: AbortSignal
  timeoutMs: number
  /** Milliseconds between signs of life. */
  every: number
  /** What the attempt ends with when it takes too long, and when somebody else works on the row. */
  late: Failure
  lost: Failure
  /** Writes a sign of life; false when the lease is lost. */
  beat(): Promise<boolean>
  /** A sign of life could not be written. */
  onError(error: unknown): void
}

/** Does the work of an attempt with the lease kept alive; its signal tells when to end, and why. */
export async function withLease(
  { stopping, timeoutMs, every, late, lost, beat, onError }: RowLease,
  work: (stop: AbortController) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const interrupt = () => stop.abort(stopping.reason)
  stopping.addEventListener('abort', interrupt, { once: true })
  if (stopping.aborted) interrupt()
  const timeout = setTimeout(() => stop.abort(late), timeoutMs)
  let last: Promise<void> = Promise.resolve()
  const keep = () => beat().then(isHeld => void (isHeld || stop.abort(lost)), onError)
  const timer = setInterval(() => (last = last.then(keep)), every)
  try {
    await work(stop)
  } finally {
    clearTimeout(timeout)
    clearInterval(timer)
    stopping.removeEventListener('abort', interrupt)
    await last
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
