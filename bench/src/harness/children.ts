import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cleanup } from './cleanup.ts'
import { config } from './config.ts'

const interruptTimeout = 20_000

/** A running program and its output so far. */
export interface Program {
  child: ChildProcess
  output(): string
  /** Sends SIGINT to its process group, and SIGKILL after 20 seconds; resolves when it has ended. */
  interrupt(): Promise<void>
}

/** Runs a program in its own process group, so that Ctrl-C does not reach it directly. */
export function run(cleanup: Cleanup, [file = '', ...args]: string[], options: SpawnOptions = {}): Program {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: config.environment,
    ...options,
    detached: true,
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => lines.push(String(chunk)))
  child.on('error', error => lines.push(error.message))
  const interrupt = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    signalGroup(child.pid, 'SIGINT')
    const hasEnded = await Promise.race([closed.then(() => true), sleep(interruptTimeout, false, { ref: false })])
    if (!hasEnded) signalGroup(child.pid, 'SIGKILL')
    await closed
  }
  cleanup.add(interrupt)
  return { child, output: () => lines.join(''), interrupt }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended already.
  }
}

/** Waits until a program ends and returns its output; throws when its exit code is not 0. */
export async function waitForExit({ child, output }: Program): Promise<string> {
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} failed:\n${output()}`)
  return output()
}

/** Waits until the output of a program matches; throws when it ends before, or after two minutes. */
export async function waitForOutput({ child, output }: Program, pattern: RegExp): Promise<RegExpExecArray> {
  const limit = performance.now() + 120_000
  while (performance.now() < limit) {
    const match = pattern.exec(output())
    if (match) return match
    if (child.exitCode !== null || child.signalCode !== null) break
    await sleep(5)
  }
  throw new Error(`${child.spawnargs.join(' ')} did not print ${pattern}:\n${output()}`)
}
