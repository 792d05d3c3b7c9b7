import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<true>()

/** Runs the work of a transaction, so that `isInTransaction` knows of it. */
export function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  return scope.run(true, work)
}

/** Whether the caller runs inside a transaction, which holds a connection and its locks until it ends. */
export function isInTransaction(): boolean {
  return scope.getStore() === true
}
