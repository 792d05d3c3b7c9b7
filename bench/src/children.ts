import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cleanup } from './cleanup.ts'
import { config } from './config.ts'

const patience = 20_000

/** A program with what it has said so far. */
export interface Program {
  child: ChildProcess
  said(): string
  /** Ctrl-C to it and all that it started in its process group. */
  interrupt(): Promise<void>
}

/** Runs a program in a process group of its own, so that Ctrl-C reaches it through us only. */
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
    const hasEnded = await Promise.race([closed.then(() => true), sleep(patience, false, { ref: false })])
    if (!hasEnded) signalGroup(child.pid, 'SIGKILL')
    await closed
  }
  cleanup.add(interrupt)
  return { child, said: () => lines.join(''), interrupt }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/** Runs a program to its end; gives what it said, throws when it failed. */
export async function finish({ child, said }: Program): Promise<string> {
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} failed:\n${said()}`)
  return said()
}

/** Waits until a program says something; gives what the pattern matched. */
export async function hears({ child, said }: Program, pattern: RegExp): Promise<RegExpExecArray> {
  const limit = performance.now() + 120_000
  while (performance.now() < limit) {
    const found = pattern.exec(said())
    if (found) return found
    if (child.exitCode !== null || child.signalCode !== null) break
    await sleep(5)
  }
  throw new Error(`${child.spawnargs.join(' ')} did not become ready:\n${said()}`)
}
