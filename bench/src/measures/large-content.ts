import { setTimeout as sleep } from 'node:timers/promises'
import { Api, aSpace } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { generatedSpace } from '../harness/generated-space.ts'
import { measureLoad } from '../harness/load.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'

const pages = 10_000
const rounds = 3
const seconds = 4
const intervalMs = 50
/** Clients that fetch the content, each again as soon as it has it. */
const readers = 2

/** Latency of small requests at a low steady rate, alone and while clients fetch the content of 10,000 pages without a pause. */
export const measureLargeContent: Measure = async bench => {
  const { space } = await generatedSpace(bench, pages)
  const small = await aSpace(bench.api, bench.organization)
  const path = `/spaces/${space}/content`
  const { bytes } = await bench.api.time(path)
  const times = { alone: [] as number[], beside: [] as number[] }
  let fetched = 0
  for (let round = 0; round < rounds; round += 1) {
    times.alone.push(...(await steadily(bench, small)))
    const { url, token } = bench.stack
    const load = measureLoad(bench.cleanup, `${url}/v1${path}`, { token, seconds: seconds + 2, connections: readers })
    // Until the other process has started.
    await sleep(1_000)
    times.beside.push(...(await steadily(bench, small)))
    fetched += (await load).requestsPerSecond / rounds
  }
  const what = `of a small request while ${readers} clients fetch ${rounded(bytes / 1e6, 1)} MB, against alone`
  return [
    finding(`median latency ${what}`, { times, of: median, budget: 10, fetched }),
    finding(`p99 latency ${what}`, { times, of: values => quantile(values, 0.99), budget: 15, fetched }),
  ]
}

interface Comparison {
  times: { alone: number[]; beside: number[] }
  of(values: number[]): number
  budget: number
  fetched: number
}

function finding(what: string, { times, of, budget, fetched }: Comparison): Finding {
  const [beside, alone] = [of(times.beside), of(times.alone)]
  return {
    what,
    value: rounded(beside / alone),
    unit: 'x',
    budget: { atMost: budget },
    detail: `${beside.toFixed(1)} ms against ${alone.toFixed(1)} ms, ${fetched.toFixed(1)} fetches/s`,
    figures: { ...times, fetched },
  }
}

/** Milliseconds of requests that start at fixed times, however long those before them take. */
async function steadily({ stack }: Bench, space: string): Promise<number[]> {
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
