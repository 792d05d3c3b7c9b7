import { setTimeout as sleep } from 'node:timers/promises'

/** Retries the check every 20 ms until it succeeds and returns its result; after `within` ms throws its last error. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { within = 10_000 }: { within?: number } = {},
): Promise<T> {
  for (const deadline = Date.now() + within; ; await sleep(20)) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}
