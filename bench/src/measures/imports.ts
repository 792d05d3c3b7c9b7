import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { aSpace } from '../harness/api.ts'
import { aFolder, type Bench, type Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { cloneNatively, importRepository, serveManual } from '../harness/imports.ts'
import { databaseUrl, memoryOf, restartProcess } from '../harness/stack.ts'
import { median, rounded } from '../harness/statistics.ts'

const rounds = 7
const megabyte = 1024 * 1024

/** Import of a repository against `git clone --depth 1` of the same URL, a second import of it, and the worker's memory. */
export const measureImports: Measure = async bench => {
  const manual = await serveManual(bench)
  const memory = await memoryFinding(bench, manual.what, async () =>
    importRepository(bench.api, await aSpace(bench.api, bench.organization), manual.url),
  )
  const folder = await aFolder(bench.cleanup, 'clones')
  const clone = () => cloneNatively(bench.cleanup, folder, manual.url)
  await clone()
  const figures = []
  for (let round = 1; round <= rounds; round++) {
    const space = await aSpace(bench.api, bench.organization)
    await deleteStoredContent(bench)
    const before = round % 2 === 1 ? await clone() : undefined
    const first = await importRepository(bench.api, space, manual.url)
    const native = before ?? (await clone())
    const again = await importRepository(bench.api, space, manual.url)
    bench.print(
      `  clone ${native.toFixed(3)} s, import ${first.seconds.toFixed(3)} s of ${first.pages.length} pages, unchanged ${again.seconds.toFixed(3)} s`,
    )
    figures.push({ clone: native, first: first.seconds, again: again.seconds })
  }
  const native = median(figures.map(figure => figure.clone))
  const first = median(figures.map(figure => figure.first))
  const again = median(figures.map(figure => figure.again))
  return [
    {
      what: `import of ${manual.what}, against git clone --depth 1`,
      value: rounded(first / native),
      unit: 'x',
      budget: { atMost: 5 },
      detail: `${first.toFixed(3)} s against ${native.toFixed(3)} s`,
      figures: { rounds: figures },
    },
    {
      what: 'import of an unchanged tree, against the first',
      value: rounded(again / first),
      unit: 'x',
      budget: { atMost: 0.5 },
      detail: `${again.toFixed(3)} s against ${first.toFixed(3)} s`,
      figures: { rounds: figures },
    },
    ...memory,
  ]
}

/** Deletes stored blobs: they are stored once by hash, so only the first round would write any otherwise. */
async function deleteStoredContent({ stack }: Bench): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl(stack, 'content') })
  await client.connect()
  await client.query('truncate documents')
  await client.end()
  const blobs = join(stack.dataDir, 'blobs')
  for (const name of await readdir(blobs)) await rm(join(blobs, name), { recursive: true, force: true })
}

/** The worker's memory above idle during work that starts with an empty process; nothing where there is no `/proc`. */
export async function memoryFinding(bench: Bench, what: string, work: () => Promise<unknown>): Promise<Finding[]> {
  const used = await memoryAboveIdle(bench, work)
  if (!used) return []
  return [
    {
      what: `memory of git-worker above idle, ${what}`,
      value: used.above,
      unit: 'MB',
      budget: { atMost: 300 },
      detail: used.detail,
      figures: { ...used },
    },
  ]
}

/** Peak memory of a restarted worker during the work, above its idle memory, in bytes; undefined where there is no `/proc`. */
export async function memoryAboveIdle(
  { stack, print }: Bench,
  work: () => Promise<unknown>,
): Promise<{ above: number; detail: string } | undefined> {
  const pid = await restartProcess(stack, 'git-worker')
  const idle = await memoryOf(pid, 'VmRSS')
  await work()
  const peak = await memoryOf(pid, 'VmHWM')
  if (idle === undefined || peak === undefined) {
    print('  memory is not measured: this system has no /proc')
    return undefined
  }
  return {
    above: rounded((peak - idle) / megabyte, 0),
    detail: `peak ${Math.round(peak / megabyte)} MB, idle ${Math.round(idle / megabyte)} MB`,
  }
}
