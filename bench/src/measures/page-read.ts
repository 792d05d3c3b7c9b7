import { aSpace } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { importRepository, serveGenerated } from '../harness/imports.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'
import { memoryAboveIdle } from './imports.ts'

const small = 10
const large = 10_000
const rounds = 7
const readsPerRound = 400

/** Latency of a page by its id in a space of 10,000 pages against one of 10, alternating between both. */
export const measurePageRead: Measure = async bench => {
  const ten = await importedSpace(bench, small)
  const many = await importedSpace(bench, large)
  await readAlternately(bench, ten.paths, many.paths)
  const figures = []
  for (let round = 1; round <= rounds; round++) {
    const times = await readAlternately(bench, ten.paths, many.paths)
    const ratio = median(times.large) / median(times.small)
    bench.print(
      `  ${median(times.large).toFixed(3)} ms against ${median(times.small).toFixed(3)} ms: ${ratio.toFixed(2)} x`,
    )
    figures.push({
      small: median(times.small),
      large: median(times.large),
      p99Small: quantile(times.small, 0.99),
      p99Large: quantile(times.large, 0.99),
      ratio,
    })
  }
  return [
    {
      what: `page by id in ${large.toLocaleString('en')} pages, against ${small}`,
      value: rounded(median(figures.map(({ ratio }) => ratio))),
      unit: 'x',
      budget: { atMost: 1.2 },
      detail: `${median(figures.map(figure => figure.large)).toFixed(2)} ms against ${median(figures.map(figure => figure.small)).toFixed(2)} ms`,
      figures: { rounds: figures },
    },
    ...many.findings,
  ]
}

async function importedSpace(bench: Bench, count: number): Promise<{ paths: string[]; findings: Finding[] }> {
  const { url } = await serveGenerated(bench.cleanup, count)
  const space = await aSpace(bench.api, bench.organization)
  let seen = { seconds: 0, pages: [] as string[] }
  const used = await memoryAboveIdle(bench, async () => (seen = await importRepository(bench.api, space, url)))
  if (seen.pages.length !== count) throw new Error(`${seen.pages.length} of ${count} pages were imported`)
  bench.print(`  import of ${count} pages: ${seen.seconds.toFixed(2)} s; git-worker ${used?.detail ?? ''}`)
  const findings: Finding[] = [
    {
      what: `import of ${count.toLocaleString('en')} pages`,
      value: rounded(seen.seconds),
      unit: 's',
      detail: 'for information',
      figures: { seconds: seen.seconds },
    },
    ...(used
      ? [
          {
            what: `memory of git-worker above idle, ${count.toLocaleString('en')} pages`,
            value: used.above,
            unit: 'MB' as const,
            detail: used.detail,
            figures: { ...used },
          },
        ]
      : []),
  ]
  return { paths: seen.pages.map(id => `/spaces/${space}/content/page/${id}?format=markdown`), findings }
}

async function readAlternately(
  { api }: Bench,
  few: string[],
  many: string[],
): Promise<{ small: number[]; large: number[] }> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let read = 0; read < readsPerRound; read++) {
    times.small.push((await api.time(randomItem(few))).ms)
    times.large.push((await api.time(randomItem(many))).ms)
  }
  return times
}

function randomItem(paths: string[]): string {
  return paths[Math.floor(Math.random() * paths.length)] ?? ''
}
