import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Exit } from '@recto/embedded'
import { readLines, warningsOf, type ProcessLog } from './logs.ts'
import { Repeats } from './repeats.ts'
import type { Running } from './supervised.ts'

/** Milliseconds; the processes' own limit for an orderly stop is 25 seconds. */
const patience = 30_000

/** A program of ours to run with Node. */
export interface ChildOptions {
  name: string
  file: string
  args?: string[]
  env: Record<string, string | undefined>
  log: ProcessLog
  say(line: string): void
}

/**
 * Starts a program of ours. It is in a process group of its own, so Ctrl-C reaches the launcher only, and has a
 * channel to the launcher, so it ends when the launcher is killed.
 */
export async function startChild({ name, file, args = [], env, log, say }: ChildOptions): Promise<Running> {
  const child = spawn(process.execPath, [file, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const exited = new Promise<Exit>(resolve => child.once('close', (code, signal) => resolve({ code, signal })))
  const warnings = new Repeats(text => say(`${name}: ${text}`))
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    readLines(stream, lines => {
      log.write(lines)
      for (const warning of warningsOf(lines)) warnings.take(warning)
    })
  }
  void exited.then(() => warnings.end())
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return void (await exited)
    child.kill('SIGTERM')
    const hasEnded = await Promise.race([exited.then(() => true), sleep(patience, false, { ref: false })])
    if (!hasEnded) child.kill('SIGKILL')
    await exited
  }
  return { pid: child.pid ?? 0, exited, stop }
}
