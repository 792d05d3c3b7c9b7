/** Which limit of a pool a task exceeded, or that its pool was closed. */
export type WorkerFailureReason = 'timeout' | 'memory' | 'depth' | 'closed'

const messages: Record<WorkerFailureReason, string> = {
  timeout: 'The task took too long',
  memory: 'The task needs too much memory',
  depth: 'The input is nested too deeply',
  closed: 'The pool is closed',
}

/** A task that was ended because it exceeded a limit; other tasks of the pool are not affected. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure'
  readonly reason: WorkerFailureReason

  constructor(reason: WorkerFailureReason, options: { cause?: unknown } = {}) {
    super(messages[reason], options)
    this.reason = reason
  }
}
