/** Waits for something until a signal aborts; rejects with the reason of the signal then. */
export async function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let stop = (): void => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    const listener = () => reject(signal.reason as Error)
    if (signal.aborted) return listener()
    signal.addEventListener('abort', listener, { once: true })
    stop = () => signal.removeEventListener('abort', listener)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    stop()
  }
}
