/** The lease of one attempt at a job, which other processes take over when it shows no sign of life. */
export interface Lease {
  /** Aborts when the service stops, which ends the attempt. */
  stopping: AbortSignal
  /** Aborts when the attempt has to end; one of its own unless given. */
  stop?: AbortController
  /** Milliseconds for the attempt; without them it may take as long as it does. */
  timeoutMs?: number
  /** Milliseconds between signs of life. */
  every: number
  /** Errors that end the attempt: it takes too long, or somebody else works on the job. */
  late: Error
  lost: Error
  /** Writes a sign of life; false when the lease is lost. */
  beat(): Promise<boolean>
  /** A sign of life could not be written. */
  onError(error: unknown): void
}

/** Does the work of an attempt with the lease kept alive; its signal aborts when the work has to end, with the reason. */
export async function keepLease(
  { stopping, stop = new AbortController(), timeoutMs, every, late, lost, beat, onError }: Lease,
  work: (stop: AbortController) => Promise<void>,
): Promise<void> {
  const interrupt = () => stop.abort(stopping.reason)
  stopping.addEventListener('abort', interrupt, { once: true })
  if (stopping.aborted) interrupt()
  const timeout = timeoutMs === undefined ? undefined : setTimeout(() => stop.abort(late), timeoutMs)
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
