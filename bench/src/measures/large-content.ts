import { setTimeout as sleep } from 'node:timers/promises'
import { aSpace } from '../harness/api.ts'
import type { Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { generatedSpace } from '../harness/generated-space.ts'
import { measureLoad } from '../harness/load.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'
import { steadily } from '../harness/steady.ts'

const pages = 10_000
const rounds = 3
const seconds = 4
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
    times.alone.push(...(await steadily(bench, small, seconds)))
    const { url, token } = bench.stack
    const load = measureLoad(bench.cleanup, `${url}/v1${path}`, { token, seconds: seconds + 2, connections: readers })
    // Until the other process has started.
    await sleep(1_000)
    times.beside.push(...(await steadily(bench, small, seconds)))
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
  const beside = of(times.beside)
  const alone = of(times.alone)
  return {
    what,
    value: rounded(beside / alone),
    unit: 'x',
    budget: { atMost: budget },
    detail: `${beside.toFixed(1)} ms against ${alone.toFixed(1)} ms, ${fetched.toFixed(1)} fetches/s`,
    figures: { ...times, fetched },
  }
}
