import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measure } from '../harness/bench.ts'
import { readMemory, readTicks, ticksPerSecond } from '../harness/cpu.ts'
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
  const launched = await processNames(stack.dataDir)
  await sleep(settleSeconds * 1000)
  const before = await snapshot(launched)
  await sleep(seconds * 1000)
  const after = await snapshot(launched)
  const memory = await memoryFinding(launched, print)
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
async function memoryFinding(launched: Map<number, string>, print: (line: string) => void): Promise<Finding[]> {
  const megabytes = new Map<string, number>()
  for (const { pid, name } of await ownProcesses(launched)) {
    const bytes = await readMemory(String(pid))
    if (bytes !== undefined) megabytes.set(name, (megabytes.get(name) ?? 0) + bytes / megabyte)
  }
  if (megabytes.size === 0) return []
  const parts = [...megabytes].map(([name, value]): [string, number] => [name, rounded(value, 0)])
  for (const [name, value] of parts) print(`  ${name}: ${value} MB`)
  return [
    {
      what: 'memory of all processes while idle',
      value: rounded(
        [...megabytes.values()].reduce((sum, value) => sum + value, 0),
        0,
      ),
      unit: 'MB',
      budget: { atMost: memoryBudget },
      detail: parts.map(([name, value]) => `${name} ${value} MB`).join(', '),
      figures: { megabytes: Object.fromEntries(parts) },
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

/** A process of the installation; one that the launcher did not record (PostgreSQL, nats-server) has the name of its program. */
interface OwnProcess {
  pid: number
  name: string
  ticks: number
}

async function ownProcesses(launched: Map<number, string>): Promise<OwnProcess[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const all = new Map(
    (await Promise.all(pids.map(async pid => [Number(pid), await readTicks(pid)] as const))).flatMap(([pid, ticks]) =>
      ticks ? [[pid, ticks]] : [],
    ),
  )
  const isOurs = (pid: number): boolean => launched.has(pid) || (all.has(pid) && isOurs(all.get(pid)?.parent ?? 0))
  return [...all]
    .filter(([pid]) => isOurs(pid))
    .map(([pid, { program, ticks }]) => ({ pid, name: launched.get(pid) ?? program, ticks }))
}

/** Ticks so far by name. */
async function snapshot(launched: Map<number, string>): Promise<Map<string, number>> {
  const byName = new Map<string, number>()
  for (const { name, ticks } of await ownProcesses(launched)) byName.set(name, (byName.get(name) ?? 0) + ticks)
  return byName
}
