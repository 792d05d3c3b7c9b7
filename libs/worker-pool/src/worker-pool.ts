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
  /** Milliseconds for one task, without its wait for a thread. */
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

/** Milliseconds a thread waits for another task before it ends, unless it is kept. */
const idleTimeout = 10_000

/**
 * Opens a pool for a module of functions, such as `createWorkerPool<typeof import('./tasks')>`. Threads start with the first task
 * and see no environment variables. A task that exceeds its time loses its thread, so that no input can occupy one.
 */
export function createWorkerPool<Tasks>(options: WorkerPoolOptions): WorkerPool<Tasks> {
  const semaphore = createSemaphore(options.threads)
  let pool: Piscina | undefined
  let isClosed = false
  return {
    async run(name, input, { signal, transfer = [], timeoutMs = options.timeoutMs } = {}) {
      const release = await semaphore.take(signal)
      const timer = new AbortController()
      const timeout = setTimeout(() => timer.abort(), timeoutMs)
      try {
        if (isClosed) throw new WorkerFailure('closed')
        pool ??= openPool(options)
        const ended = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal
        return await pool.run(input, { name, signal: ended, transferList: [...transfer] })
      } catch (error) {
        signal?.throwIfAborted()
        throw failureOf(error, { isClosed, isLate: timer.signal.aborted })
      } finally {
        clearTimeout(timeout)
        release()
      }
    },
    async close() {
      isClosed = true
      await pool?.destroy()
    },
  }
}

function openPool({ file, threads, keptThreads = 0, memoryMb, stackMb = 4 }: WorkerPoolOptions): Piscina {
  const pool = new Piscina({
    filename: typeof file === 'string' ? file : file(),
    minThreads: keptThreads,
    maxThreads: threads,
    idleTimeout,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, stackSizeMb: stackMb },
  })
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
