import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { createSemaphore } from './semaphore.ts'
import { WorkerFailure } from './worker-failure.ts'

/** Limits of a pool. */
export interface WorkerPoolOptions {
  /** The module whose exported functions are the tasks: an absolute path of JavaScript, or a function that names it when the first task comes. */
  file: string | (() => string)
  /** Threads, and tasks at a time. */
  threads: number
  /** Threads that stay, from the first task on, when there is nothing to do; none unless given. */
  keptThreads?: number
  /** Milliseconds for one task, without its wait for a thread, and without the start of one. */
  timeoutMs: number
  /** Megabytes of JavaScript heap of one thread. */
  memoryMb: number
  /** Megabytes of stack of one thread, 4 unless given: recursive code gets as deep as that. */
  stackMb?: number
}

/** Options of one task. */
export interface RunOptions {
  /** Replaces the limit of the pool. */
  timeoutMs?: number
  /** Ends the task, and its thread with it; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Objects of the input that are handed over instead of being cloned, such as a message port. */
  transfer?: readonly Transferable[]
}

type Transferable = ArrayBuffer | MessagePort

/** A task takes one value and returns one, both of them cloned; it must not rely on anything else. */
type Task = (input: never) => unknown

/** Threads that run the functions of a module. */
export interface WorkerPool<Tasks> {
  /** Runs a task. Throws what the task throws (as a plain `Error`), or a `WorkerFailure` when it exceeded a limit. */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Input<Tasks[Name]>,
    options?: RunOptions,
  ): Promise<Result<Tasks[Name]>>
  /** Ends all threads. Tasks that run reject with `closed`. */
  close(): Promise<void>
}

type Input<T> = T extends (input: infer I) => unknown ? I : never
type Result<T> = T extends Task ? Awaited<ReturnType<T>> : never

const ignore = (): void => undefined

/** Milliseconds a thread waits for another task before it ends, unless it is kept. */
const idleTimeout = 10_000
/** Milliseconds for the start of a thread, after which the time of its task begins: a module may not load at all. */
const startLimit = 60_000

/**
 * Opens a pool for a module of functions, such as `createWorkerPool<typeof import('./tasks')>`. Threads start with the first task
 * and see no environment variables. A task that exceeds its time loses its thread, so that no input can occupy one.
 */
export function createWorkerPool<Tasks>(options: WorkerPoolOptions): WorkerPool<Tasks> {
  const semaphore = createSemaphore(options.threads)
  /** Those that have loaded the module. */
  const threads = new Set<unknown>()
  let pool: Piscina | undefined
  let isClosed = false
  let running = 0
  return {
    async run(name, input, { signal, transfer = [], timeoutMs = options.timeoutMs } = {}) {
      const release = await semaphore.take(signal)
      const timer = new AbortController()
      const task = new AbortController()
      running += 1
      try {
        if (isClosed) throw new WorkerFailure('closed')
        pool ??= openPool(options, threads)
        const ended = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal
        const result = pool.run(input, { name, signal: ended, transferList: [...transfer] })
        const begun = untilStarted(pool, () => threads.size >= running, task.signal)
        void begun.then(() => sleep(timeoutMs, undefined, { signal: task.signal })).then(() => timer.abort(), ignore)
        return await result
      } catch (error) {
        signal?.throwIfAborted()
        throw failureOf(error, { isClosed, isLate: timer.signal.aborted })
      } finally {
        task.abort()
        running -= 1
        release()
      }
    },
    async close() {
      isClosed = true
      await pool?.destroy()
    },
  }
}

/** Resolves when there are enough threads for the tasks, one cannot start or has had the time for it, or `signal` aborts. */
async function untilStarted(pool: Piscina, areEnough: () => boolean, signal: AbortSignal): Promise<void> {
  if (areEnough()) return
  const ends = AbortSignal.any([signal, AbortSignal.timeout(startLimit)])
  const next = () => once(pool, 'workerCreate', { signal: ends }).then(areEnough, () => true)
  while (!(await next()));
}

function openPool(
  { file, threads: maxThreads, keptThreads = 0, memoryMb, stackMb = 4 }: WorkerPoolOptions,
  threads: Set<unknown>,
): Piscina {
  const pool = new Piscina({
    filename: typeof file === 'string' ? file : file(),
    minThreads: keptThreads,
    maxThreads,
    idleTimeout,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, stackSizeMb: stackMb },
  })
  pool.on('workerCreate', thread => threads.add(thread)).on('workerDestroy', thread => threads.delete(thread))
  // A thread may run out of memory just when its task was ended: the task has been answered, and the pool makes another thread.
  return pool.on('error', () => undefined)
}

function failureOf(error: unknown, { isClosed, isLate }: { isClosed: boolean; isLate: boolean }): unknown {
  if (isClosed) return new WorkerFailure('closed', { cause: error })
  if (isLate) return new WorkerFailure('timeout', { cause: error })
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return new WorkerFailure('memory', { cause: error })
  if (error.name === 'RangeError' && error.message.includes('call stack'))
    return new WorkerFailure('depth', { cause: error })
  return error
}
