import { OutgoingFailure } from './outgoing-failure.ts'

/** Aborts an exchange that takes too long or that its caller aborts. */
export interface Deadline {
  signal: AbortSignal
  end(): void
}

/** Starts the timeout of one exchange, in milliseconds; the caller's signal aborts it early, with the caller's reason. */
export function startDeadline(ms: number, outer: AbortSignal | undefined): Deadline {
  const own = new AbortController()
  const timer = setTimeout(() => own.abort(new OutgoingFailure('timeout', 'The exchange took too long')), ms)
  timer.unref()
  const signal = outer ? AbortSignal.any([own.signal, outer]) : own.signal
  return { signal, end: () => clearTimeout(timer) }
}

/** Rejects with the signal's reason when it aborts. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
