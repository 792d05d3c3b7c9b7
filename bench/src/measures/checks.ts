import { once } from 'node:events'
import { join } from 'node:path'
import { aFolder, type Bench, type Measure } from '../harness/bench.ts'
import { run, waitForExit } from '../harness/children.ts'
import type { Cleanup } from '../harness/cleanup.ts'
import { config } from '../harness/config.ts'
import type { Finding } from '../harness/finding.ts'
import { serveManual } from '../harness/imports.ts'
import { root } from '../harness/stack.ts'
import { median, rounded } from '../harness/statistics.ts'

const rounds = 7

/** Parses each page of a folder once, and does nothing with it: what a check costs at least in one thread. */
const bareParse = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { fromMarkdown } from 'mdast-util-from-markdown'
  import { gfm } from 'micromark-extension-gfm'
  import { gfmFromMarkdown } from 'mdast-util-gfm'
  const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
  const folder = process.argv[1]
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith('.md')) fromMarkdown(readFileSync(join(folder, file), 'utf8'), options)
`

interface Round {
  bare: number
  first: number
  repeated: number
}

/** The first `recto check` of a manual and a repeated one, against a process that only parses its pages. */
export const measureChecks: Measure = async bench => {
  const manual = await serveManual(bench)
  const folder = join(await aFolder(bench.cleanup, 'checks'), 'manual')
  await waitForExit(run(bench.cleanup, ['git', 'clone', '--quiet', '--depth', '1', manual.url, folder]))
  const figures: Round[] = []
  for (let round = 1; round <= rounds; round += 1) figures.push(await measureRound(bench, folder))
  const of = (name: keyof Round) => median(figures.map(figure => figure[name]))
  const finding = (name: 'first' | 'repeated', budget: number): Finding => ({
    what: `${name} recto check of ${manual.what}, against parsing its pages in one thread`,
    value: rounded(of(name) / of('bare')),
    unit: 'x',
    budget: { atMost: budget },
    detail: `${of(name).toFixed(2)} s against ${of('bare').toFixed(2)} s`,
    figures: { rounds: figures },
  })
  return [finding('first', 1), finding('repeated', 0.45)]
}

async function measureRound({ cleanup, print }: Bench, folder: string): Promise<Round> {
  const cache = await aFolder(cleanup, 'check-cache')
  const check = () => seconds(cleanup, ['dist/apps/cli/main.js', 'check', folder], cache)
  const bare = await seconds(cleanup, ['--input-type=module', '--eval', bareParse, folder], cache)
  const round = { bare, first: await check(), repeated: await check() }
  print(
    `  parsing ${bare.toFixed(2)} s, first check ${round.first.toFixed(2)} s, repeated ${round.repeated.toFixed(2)} s`,
  )
  return round
}

/** Seconds of a program of Node; a check with findings ends with 1. */
async function seconds(cleanup: Cleanup, args: string[], cache: string): Promise<number> {
  const started = performance.now()
  const env = { ...config.environment, XDG_CACHE_HOME: cache }
  const { child, output } = run(cleanup, [process.execPath, ...args], { cwd: root, env })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0 && code !== 1) throw new Error(`${args.join(' ')} failed:\n${output()}`)
  return (performance.now() - started) / 1_000
}
