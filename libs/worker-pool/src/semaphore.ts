/** A counter of free places, with a queue in order of arrival. */
export interface Semaphore {
  /** Resolves to the function that frees the place again; rejects with the signal's reason when that comes first. */
  take(signal?: AbortSignal): Promise<() => void>
}

/** Creates so many places. */
export function createSemaphore(count: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = count
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    async take(signal) {
      signal?.throwIfAborted()
      if (free > 0) free -= 1
      else await turn(waiting, signal)
      return release
    },
  }
}

function turn(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(signal?.reason)
    }
    const go = () => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    waiting.push(go)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
