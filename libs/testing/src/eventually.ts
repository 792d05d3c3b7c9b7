import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two checks: a tenth of the time that has passed, so that long waits leave the processor to what they wait for. */
export function pauseAfter(started: number): number {
  return Math.min(250, Math.max(20, (Date.now() - started) / 10))
}

/** Milliseconds after which nothing is waited for any longer: many times what it takes, because machines are busy. */
export const waitLimit = 120_000

/** Retries the check until it succeeds and returns its result; after `waitLimit` throws its last error. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  for (const started = Date.now(); ; await sleep(pauseAfter(started))) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > started + waitLimit) throw error
    }
  }
}
