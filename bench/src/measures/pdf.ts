import { aSpace } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { newGeneratedSpace } from '../harness/generated-space.ts'
import { memoryOf, restartProcess } from '../harness/stack.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'
import { steadily } from '../harness/steady.ts'

const pages = 500
const rounds = 3
const seconds = 4
const megabyte = 1024 * 1024

/** Small requests alone and while PDFs of 500 pages are made without a pause, and the memory that those take. */
export const measurePdf: Measure = async bench => {
  const { space } = await newGeneratedSpace(bench, pages)
  const pid = await restartProcess(bench.stack, 'content')
  const small = await aSpace(bench.api, bench.organization)
  await steadily(bench, small, 1)
  const idle = await memoryOf(pid, 'VmRSS')
  const times = { alone: [] as number[], beside: [] as number[], made: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    times.alone.push(...(await steadily(bench, small, seconds)))
    const state = { isOver: false }
    const making = makePdfs(bench, space, state)
    times.beside.push(...(await steadily(bench, small, seconds)))
    state.isOver = true
    times.made.push(...(await making))
  }
  const peak = await memoryOf(pid, 'VmHWM')
  const what = `of a small request while PDFs of ${pages} pages are made, against alone`
  return [
    finding(`median latency ${what}`, { times, of: median, budget: 4 }),
    finding(`p99 latency ${what}`, { times, of: values => quantile(values, 0.99), budget: 15 }),
    ...(idle === undefined || peak === undefined ? [] : [memoryFinding(idle, peak)]),
  ]
}

/** Seconds of each PDF: of new content every time, since one that was made is there. */
async function makePdfs({ api }: Bench, space: string, state: { isOver: boolean }): Promise<number[]> {
  const made: number[] = []
  do {
    await api.post(`/spaces/${space}/content`, { changes: [{ operation: 'insert_page', title: 'More' }] })
    made.push((await api.time(`/spaces/${space}/pdf`)).ms / 1_000)
  } while (!state.isOver)
  return made
}

interface Comparison {
  times: { alone: number[]; beside: number[]; made: number[] }
  of(values: number[]): number
  budget: number
}

function finding(what: string, { times, of, budget }: Comparison): Finding {
  const beside = of(times.beside)
  const alone = of(times.alone)
  const made = median(times.made)
  return {
    what,
    value: rounded(beside / alone),
    unit: 'x',
    budget: { atMost: budget },
    detail: `${beside.toFixed(1)} ms against ${alone.toFixed(1)} ms, ${made.toFixed(1)} s for a PDF`,
    figures: times,
  }
}

function memoryFinding(idle: number, peak: number): Finding {
  return {
    what: `memory of content above idle while PDFs of ${pages} pages are made`,
    value: rounded((peak - idle) / megabyte),
    unit: 'MB',
    budget: { atMost: 500 },
    detail: `peak ${Math.round(peak / megabyte)} MB, idle ${Math.round(idle / megabyte)} MB`,
    figures: { idle, peak },
  }
}
