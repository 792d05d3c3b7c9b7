import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from './api.ts'
import type { Bench } from './bench.ts'

const intervalMs = 50

/** Milliseconds of reads of a space that start at fixed times, however long those before them take. */
export async function steadily({ stack }: Bench, space: string, seconds: number): Promise<number[]> {
  const api = new Api(stack, 20)
  await api.time(`/spaces/${space}`)
  const pending: Promise<{ ms: number }>[] = []
  const end = performance.now() + seconds * 1_000
  for (let next = performance.now(); next < end; next += intervalMs) {
    await sleep(Math.max(0, next - performance.now()))
    pending.push(api.time(`/spaces/${space}`))
  }
  const times = await Promise.all(pending)
  api.close()
  return times.map(({ ms }) => ms)
}
