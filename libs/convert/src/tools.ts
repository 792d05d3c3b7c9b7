import type { ConvertLimits, FetchedResource } from './model.ts'
import type * as tasks from './tasks.ts'

/** The input and output of a conversion, and the threads that do the work. */
export interface ConvertTools {
  /** Runs a task of the worker. */
  run: RunTask
  /** Reads a resource; throws when it cannot be reached or is larger than `maxBytes`. */
  fetch(url: string, options: { maxBytes: number }): Promise<FetchedResource>
  /** Writes a resource to a temporary file and returns its path. */
  download(url: string, options: { maxBytes: number }): Promise<string>
  /** Stores the bytes of a file. */
  storeFile(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }>
  limits: ConvertLimits
  /** Is told what is done, of what is known so far. */
  report?(progress: { done: number; total: number }): void
  signal?: AbortSignal
}

/** The tasks of a worker thread. */
export type ConvertTasks = typeof tasks

/** Runs one of the tasks in a worker thread. */
export type RunTask = <Name extends keyof ConvertTasks>(
  name: Name,
  input: Parameters<ConvertTasks[Name]>[0],
) => Promise<Awaited<ReturnType<ConvertTasks[Name]>>>
