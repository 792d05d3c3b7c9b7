import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measure } from '../harness/bench.ts'
import { readTicks, ticksPerSecond } from '../harness/cpu.ts'
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
  const launched = await processNames(stack.dataDir)
  await sleep(settleSeconds * 1000)
  const before = await snapshot(launched)
  await sleep(seconds * 1000)
  const after = await snapshot(launched)
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

/** Names of the launcher and the processes that it recorded, by pid. */
async function processNames(dataDir: string): Promise<Map<number, string>> {
  const { launcher, children } = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as {
    launcher: { pid: number }
    children: Record<string, { pid: number }>
  }
  return new Map([
    [launcher.pid, 'launcher'],
    ...Object.entries(children).map(([name, { pid }]): [number, string] => [pid, name]),
  ])
}

/** Ticks so far by name; processes that the launcher did not record (PostgreSQL, nats-server) have the name of their program. */
async function snapshot(launched: Map<number, string>): Promise<Map<string, number>> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const all = new Map(
    (await Promise.all(pids.map(async pid => [Number(pid), await readTicks(pid)] as const))).flatMap(([pid, ticks]) =>
      ticks ? [[pid, ticks]] : [],
    ),
  )
  const isOurs = (pid: number): boolean => launched.has(pid) || (all.has(pid) && isOurs(all.get(pid)?.parent ?? 0))
  const byName = new Map<string, number>()
  for (const [pid, { program, ticks }] of all) {
    if (!isOurs(pid)) continue
    const name = launched.get(pid) ?? program
    byName.set(name, (byName.get(name) ?? 0) + ticks)
  }
  return byName
}
