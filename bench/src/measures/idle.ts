import { setTimeout as sleep } from 'node:timers/promises'
import type { Measure } from '../harness/bench.ts'
import { memoryByProcess, readTicks, ticksByProcess, ticksPerSecond } from '../harness/cpu.ts'
import type { Finding } from '../harness/finding.ts'
import { rounded } from '../harness/statistics.ts'

/**
 * Seconds before the measurement, in which processes give back what their start needed (`releaseStartupMemory`), and its duration: long
 * enough that one garbage collection, a tenth of a second, has little effect.
 */
const settleSeconds = 130
const seconds = 120
const budget = 1
const memoryBudget = 450
const megabyte = 1024 * 1024

/** CPU and memory of an idle installation: the launcher and all processes below it. */
export const measureIdle: Measure = async ({ stack, print }) => {
  if ((await readTicks('self')) === undefined) {
    print('  not measured: this system has no /proc')
    return []
  }
  await sleep(settleSeconds * 1000)
  const before = await ticksByProcess(stack.dataDir)
  await sleep(seconds * 1000)
  const after = await ticksByProcess(stack.dataDir)
  const memory = await memoryFinding(stack.dataDir, print)
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
    ...memory,
  ]
}

/** None on a kernel that does not tell. */
async function memoryFinding(dataDir: string, print: (line: string) => void): Promise<Finding[]> {
  const megabytes = [...(await memoryByProcess(dataDir))].map(([name, bytes]): [string, number] => [
    name,
    bytes / megabyte,
  ])
  if (megabytes.length === 0) return []
  const parts = megabytes.map(([name, value]): [string, number] => [name, rounded(value, 0)])
  for (const [name, value] of parts) print(`  ${name}: ${value} MB`)
  return [
    {
      what: 'memory of all processes while idle',
      value: rounded(
        megabytes.reduce((sum, [, value]) => sum + value, 0),
        0,
      ),
      unit: 'MB',
      budget: { atMost: memoryBudget },
      detail: parts.map(([name, value]) => `${name} ${value} MB`).join(', '),
      figures: { megabytes: Object.fromEntries(parts) },
    },
  ]
}
