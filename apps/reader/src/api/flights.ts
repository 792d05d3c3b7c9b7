/** Reads in progress, and who waits for them: one that everybody has left is aborted. */
export interface Flights {
  /** The signal of a read that begins. */
  begin(key: string): AbortSignal
  /**
   * Waits for a reply, until a signal aborts. Who waits without a signal stays to the end. `leave` is called when the last one has left,
   * before the read is aborted.
   */
  wait<Reply>(
    key: string,
    reply: Promise<Reply>,
    waiting: { signal: AbortSignal | undefined; leave(): void },
  ): Promise<Reply>
  end(key: string, signal: AbortSignal): void
}

interface Flight {
  controller: AbortController
  waiting: number
}

/** Creates the list of reads in progress. */
export function createFlights(): Flights {
  const flights = new Map<string, Flight>()
  return {
    begin(key) {
      const flight = { controller: new AbortController(), waiting: 0 }
      flights.set(key, flight)
      return flight.controller.signal
    },
    async wait(key, reply, { signal, leave }) {
      const flight = flights.get(key)
      if (flight) flight.waiting += 1
      try {
        return await (signal ? untilAborted(reply, signal) : reply)
      } finally {
        if (flight) flight.waiting -= 1
        if (flight?.waiting === 0 && signal?.aborted && flights.get(key) === flight) {
          flights.delete(key)
          leave()
          flight.controller.abort(signal.reason)
        }
      }
    },
    end(key, signal) {
      if (flights.get(key)?.controller.signal === signal) flights.delete(key)
    },
  }
}

/** A reply, unless the signal aborts before: then the reason of that. */
function untilAborted<Reply>(reply: Promise<Reply>, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
