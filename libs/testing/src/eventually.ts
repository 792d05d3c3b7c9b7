import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two checks: a tenth of the time that has passed, so that long waits leave the processor to what they wait for. */
export function pauseAfter(started: number): number {
  return Math.min(250, Math.max(20, (Date.now() - started) / 10))
}

/** Retries the check until it succeeds and returns its result; after `within` ms throws its last error. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { within = 10_000 }: { within?: number } = {},
): Promise<T> {
  for (const started = Date.now(); ; await sleep(pauseAfter(started))) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > started + within) throw error
    }
  }
}
