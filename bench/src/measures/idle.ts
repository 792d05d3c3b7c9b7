import { setTimeout as sleep } from 'node:timers/promises'
import type { Measure } from '../harness/bench.ts'
import { readTicks, ticksByProcess, ticksPerSecond } from '../harness/cpu.ts'
import { rounded } from '../harness/statistics.ts'

/** Seconds before the measurement, and its duration: long enough that one garbage collection, a tenth of a second, has little effect. */
const settleSeconds = 60
const seconds = 120
const budget = 1

/** CPU of an idle installation, the launcher and all processes below it, as a share of one core. */
export const measureIdle: Measure = async ({ stack, print }) => {
  if ((await readTicks('self')) === undefined) {
    print('  not measured: this system has no /proc')
    return []
  }
  await sleep(settleSeconds * 1000)
  const before = await ticksByProcess(stack.dataDir)
  await sleep(seconds * 1000)
  const after = await ticksByProcess(stack.dataDir)
  const shareOf = (ticks: number) => (ticks / ticksPerSecond / seconds) * 100
  const shares = [...after].map(([name, ticks]): [string, number] => [
    name,
    rounded(shareOf(ticks - (before.get(name) ?? 0)), 2),
  ])
  for (const [name, share] of shares) print(`  ${name}: ${share} %`)
  const all =
    [...after.values()].reduce((sum, ticks) => sum + ticks, 0) -
    [...before.values()].reduce((sum, ticks) => sum + ticks, 0)
  return [
    {
      what: 'CPU of all processes while idle, of one core',
      value: rounded(shareOf(all), 2),
      unit: '%',
      budget: { atMost: budget },
      detail: `over ${seconds} s: ${shares.map(([name, share]) => `${name} ${share} %`).join(', ')}`,
      figures: { seconds, shares: Object.fromEntries(shares) },
    },
  ]
}
