import type { Listening } from '@recto/database'

/** Wakes who waits for events of an organization. */
export interface Arrivals {
  /** Resolves when an event of the organization may have arrived, after `ms` milliseconds, or when the signal aborts. */
  wait(organization: string, ms: number, signal: AbortSignal): Promise<void>
  /** Wakes all, and lets none wait any more. */
  stop(): void
}

/** Milliseconds after which who waits looks again, because a notification may be lost. */
const lookAgain = 5_000

/** Listens for the notifications of `append`. */
export function listenForArrivals(listening: Pick<Listening, 'on'>): Arrivals {
  const waiting = new Map<string, Set<() => void>>()
  let isStopped = false
  const wake = (organization?: string): void => {
    const groups = organization === undefined ? [...waiting.values()] : [waiting.get(organization) ?? []]
    for (const group of groups) for (const resume of [...group]) resume()
  }
  listening.on('records', wake)
  return {
    wait: (organization, ms, signal) =>
      new Promise(resolve => {
        if (isStopped || signal.aborted || ms <= 0) return resolve()
        const group = waiting.get(organization) ?? new Set()
        waiting.set(organization, group)
        const resume = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', resume)
          group.delete(resume)
          if (group.size === 0 && waiting.get(organization) === group) waiting.delete(organization)
          resolve()
        }
        const timer = setTimeout(resume, Math.min(ms, lookAgain))
        signal.addEventListener('abort', resume)
        group.add(resume)
      }),
    stop() {
      isStopped = true
      wake()
    },
  }
}
