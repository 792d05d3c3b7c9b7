import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Exit } from '@recto/embedded'
import { readLines, warningsOf, type ProcessLog } from './logs.ts'
import { WarningThrottle } from './warning-throttle.ts'
import type { Running } from './supervised.ts'

/** Milliseconds until a process is killed; the processes themselves stop within 25 seconds. */
const stopTimeout = 30_000

/** A Node program to run. */
export interface ChildOptions {
  name: string
  file: string
  args?: string[]
  env: Record<string, string | undefined>
  log: ProcessLog
  print(line: string): void
}

/**
 * Starts a Node program. It has its own process group, so Ctrl-C reaches the launcher only, and an IPC channel to the launcher,
 * so it ends when the launcher is killed.
 */
export async function startChild({ name, file, args = [], env, log, print }: ChildOptions): Promise<Running> {
  const child = spawn(process.execPath, [file, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const exited = new Promise<Exit>(resolve => child.once('close', (code, signal) => resolve({ code, signal })))
  const warnings = new WarningThrottle(text => print(`${name}: ${text}`))
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    readLines(stream, lines => {
      log.write(lines)
      for (const warning of warningsOf(lines)) warnings.add(warning)
    })
  }
  void exited.then(() => warnings.flush())
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return void (await exited)
    child.kill('SIGTERM')
    const hasEnded = await Promise.race([exited.then(() => true), sleep(stopTimeout, false, { ref: false })])
    if (!hasEnded) child.kill('SIGKILL')
    await exited
  }
  return { pid: child.pid ?? 0, exited, stop }
}
