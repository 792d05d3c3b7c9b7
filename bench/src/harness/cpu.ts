import { readFile } from 'node:fs/promises'

/** Clock ticks of `/proc/<pid>/stat`, the same on every Linux. */
export const ticksPerSecond = 100

/** A process as `/proc` knows it. */
export interface Ticks {
  program: string
  parent: number
  /** Ticks of the process and of its ended children. */
  ticks: number
}

/**
 * Memory of a process in bytes, where pages that several processes share count in parts (PSS); undefined where `/proc` does not tell, or for no
 * such process any more.
 */
export async function readMemory(pid: string): Promise<number | undefined> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
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
