import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Clock ticks of `/proc/<pid>/stat`, the same on every Linux. */
export const ticksPerSecond = 100

/** A process as `/proc` knows it. */
export interface Ticks {
  program: string
  parent: number
  /** Ticks of the process and of its ended children. */
  ticks: number
}

/** CPU of a process so far; undefined where there is no `/proc`, or no such process any more. */
export async function readTicks(pid: string): Promise<Ticks | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The program name may contain any character, including parentheses.
  const start = stat.indexOf('(')
  const end = stat.lastIndexOf(')')
  const [, parent, ...fields] = stat
    .slice(end + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(9, 13).reduce((sum, value) => sum + value, 0)
  return { program: stat.slice(start + 1, end), parent: parent ?? 0, ticks }
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

/** A process of an installation; one that the launcher did not record (PostgreSQL, nats-server) has the name of its program. */
interface OwnProcess {
  pid: number
  name: string
  ticks: number
}

/** The launcher of an installation and all processes below it. */
async function ownProcesses(dataDir: string): Promise<OwnProcess[]> {
  const launched = await processNames(dataDir)
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

/** Ticks of an installation so far, by the name of the process. */
export async function ticksByProcess(dataDir: string): Promise<Map<string, number>> {
  const byName = new Map<string, number>()
  for (const { name, ticks } of await ownProcesses(dataDir)) byName.set(name, (byName.get(name) ?? 0) + ticks)
  return byName
}

/** Bytes of memory of an installation, by the name of the process; none where `/proc` does not tell. */
export async function memoryByProcess(dataDir: string): Promise<Map<string, number>> {
  const byName = new Map<string, number>()
  for (const { pid, name } of await ownProcesses(dataDir)) {
    const bytes = await readMemory(pid)
    if (bytes !== undefined) byName.set(name, (byName.get(name) ?? 0) + bytes)
  }
  return byName
}

/** Memory of a process, where pages that several processes share count in parts (PSS); undefined for no such process any more. */
async function readMemory(pid: number): Promise<number | undefined> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
