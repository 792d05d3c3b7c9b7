import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzz, kinds, type Figures, type Kind } from './fuzz.ts'

/** The share of each kind in percent. */
const shares: Record<Kind, number> = { pack: 15, index: 45, packets: 40 }

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    kind: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
})
const seed = values.seed ?? randomBytes(4).toString('hex')
const count = Number(values.count)
const from = Number(values.from)
const chosen = kinds.filter(kind => values.kind === undefined || values.kind === kind)
if (chosen.length === 0 || !Number.isSafeInteger(count) || !Number.isSafeInteger(from))
  throw new Error(`--kind is one of ${kinds.join(', ')}; --count and --from are numbers`)

const say = (line: string) => void process.stdout.write(`${line}\n`)
say(`seed ${seed}`)
for (const kind of chosen) {
  const share = values.kind ? count : Math.round((count * shares[kind]) / 100)
  const started = Date.now()
  const cpu = process.cpuUsage()
  const onBatch = (done: number) =>
    void (done % 10_000 === 0 && say(`${kind}: ${done} of ${share}, ${Math.round((Date.now() - started) / 1_000)} s`))
  report(kind, share, await fuzz({ kind, seed, from, count: share, onBatch }))
  const { user, system } = process.cpuUsage(cpu)
  say(
    `  ${((Date.now() - started) / 1_000).toFixed(1)} s, of which ${((user + system) / 1e6).toFixed(1)} s were not spent in git`,
  )
}

function report(kind: Kind, share: number, figures: Figures): void {
  say(`${kind}: ${share} inputs`)
  for (const [name, number] of [...figures].sort(([, a], [, b]) => b - a))
    say(`  ${String(number).padStart(8)}  ${name}`)
}
